settle() {
  local total=0
  for item in "$@"; do
    if [ "$item" -lt 50 ]; then
      total=$((total + item))
    fi
  done
  echo "$total"
}
