export function settle(props: { items: string[] }) {
  const shown = props.items.slice(0, 50);
  return <ul>{shown.map((item) => <li key={item}>{item}</li>)}</ul>;
}
