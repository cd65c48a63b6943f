"""Words that programmers use for one another, one sense a row; read by `kin`. A table: it knows nothing.

A word may stand in several rows. Chinese words stand with the English ones.
"""

ROWS = """
abort cancel interrupt stop 取消 中止 中断
accelerate fast faster performance quick quickly speed speedup 速度 性能 加速
accept allow enable permit permission permitted 允许 启用 权限
access permission privilege rights 权限 访问
account login user username 账户 账号 用户
add append insert push 添加 插入 追加 新增
address endpoint url uri 地址 端点
algorithm method strategy approach 算法 策略
allocate reserve 分配
alphabetical alphabetically sorted order 字母
amount count number quantity total 数量 总数 个数
answer reply response result 响应 回复 返回 结果
api endpoint interface route 接口
application app program 应用 程序
argument option parameter flag param setting 参数 选项
array list sequence vector 数组 列表
assert check validate validation verify verification ensure 校验 检查 验证 断言
asynchronous async nonblocking 异步
attempt retry repeat again backoff tries 重试
auth authenticate authentication authorization login signin credential 认证 鉴权 登录 授权
background daemon worker 后台
backup snapshot copy dump 备份 快照
balancer loadbalancer proxy gateway 负载均衡
ban block deny disallow forbid forbidden prohibit refuse reject 禁止 拒绝
batch bulk chunk group 批量 批次
begin began start startup launch boot init initial initialize 启动 开始 初始化
big huge large long 大型
bind attach connect link join 绑定 连接
blank empty missing none null absent nothing 空 空值 缺失 缺少
body data information content payload 数据 内容
bound cap ceiling limit max maximum most threshold restrict upper 上限 限制 最大 阈值
branch fork 分支
break broken crash fail failure fault error corrupt 失败 崩溃 错误 故障 报错
bucket partition shard split 分区 分片 拆分
bug defect issue problem error 问题 缺陷 故障
build built compile make assemble construct 构建 编译
bypass circumvent evade around 绕过
cache memo memoize memory store 缓存
call invoke run ran execute trigger fire 调用 执行 运行 触发
catch caught handle trap intercept 捕获 处理 拦截
certificate cert ca bundle tls ssl 证书
change edit modify update alter mutate adjust tweak 修改 更改 更新 改动 变更 调整
channel queue stream topic pipe 队列 通道
character letter char 字符
charset encoding codec unicode 字符集 编码
choose chosen pick select selection 选择
class type kind 类 类型 种类
clean cleanup purge clear wipe flush 清理 清空 清除
client consumer caller customer 客户端 调用方
clock time timestamp date datetime 时间 时钟 日期
close shut shutdown terminate exit quit stop end 关闭 退出 停止 终止
code status exit 状态码
code source 代码 源码
collision conflict clash 冲突
column field attribute property 字段 属性 列
combine merge join concat concatenate unite 合并 拼接
command subcommand 子命令
command cli shell 命令 命令行
compare diff difference compared comparison equal equality 比较 对比 差异
compress zip gzip shrink 压缩
concurrency concurrent parallel simultaneous simultaneously thread threads thread-safe race lock atomic 并发 并行 线程
condition predicate criterion 条件
config configuration configure setting settings preference option setup 配置 设置
connection socket link session 连接
constant fixed immutable 常量
container docker image 容器
convert cast coerce transform translate map 转换 转化
cookie session 会话
copy clone duplicate replicate 复制 拷贝 克隆
cost price expense expensive slow 成本 代价
crash die exit abort 崩溃
create make new generate produce build 创建 生成 新建
credential password secret token key 凭证 密码 密钥 令牌
cron schedule scheduled job periodic timer interval 定时 调度 任务 周期
currency money price payment amount 货币 金额 支付
cut trim truncate shorten strip 截断 裁剪
cycle loop circular recursion recursive 循环 递归
database db sql table store storage persistence persist 数据库 存储 表
deadline timeout expiry expire expiration ttl lifetime 超时 过期 截止 有效期
debug trace diagnose troubleshoot 调试 排查
decode deserialize parse unmarshal load 解码 解析 反序列化
default fallback standard initial 默认 缺省
defer delay postpone wait sleep pause later 延迟 等待 推迟 延时
delete drop erase remove removal unlink discard purge 删除 移除 丢弃
dependency package library module requirement import 依赖 包 库 模块
deploy release publish ship rollout 部署 发布 上线
depth level nesting nested 深度 层级 嵌套
detect discover find notice recognize identify 检测 发现 识别
develop development dev local 开发
dictionary dict mapping hash object 字典
directory folder dir path 目录 文件夹 路径
disable off turn deactivate 禁用 关闭
disk file filesystem storage 磁盘 文件系统
display show print render present output view 显示 展示 打印 输出 渲染
document documentation docs doc manual guide 文档
download fetch get pull retrieve load read 下载 获取 读取 拉取
duplicate repeated twice same dedupe deduplicate idempotent 重复 去重 幂等
dynamic runtime 动态
element entry item member record row 元素 条目 记录 行
email mail message smtp 邮件 邮箱
emit send sent publish dispatch post broadcast deliver 发送 派发 推送 广播 投递
encode serialize marshal dump 编码 序列化
encrypt cipher crypto encryption 加密
environment env variable 环境 变量
event message notification signal 事件 消息 通知
exact precise strict exactly strictly 精确 严格
exception error raise throw thrown raised 异常 报错
exclude ignore skip omit bypass 排除 忽略 跳过
exclusive lock mutex semaphore latch locking 锁 互斥
expand extend grow enlarge increase raise bump 扩展 扩容 增加 提高
export dump output 导出
external outside third-party vendor remote 外部 第三方
extract pull unpack parse 提取
fail failure reject error unsuccessful 失败
feature flag toggle switch gate 开关 功能
file document 文件
filter narrow restrict where 过滤 筛选
final last end latest 最后 最终
find found look lookup search seek query locate 查找 查询 搜索 寻找
first initial begin head 首次 第一
fix repair resolve solve correct mend patch 修复 解决 修正
folder directory 文件夹
forget forgotten lose lost drop 遗忘 丢失
format layout style shape schema structure 格式 结构 布局
framework library 框架
frequency rate often interval 频率 速率
front frontend ui client browser web 前端 界面 浏览器
function method procedure routine subroutine callable 函数 方法
global shared singleton 全局 单例 共享
handler callback hook listener subscriber 回调 处理器 钩子 监听
hang hung stuck freeze deadlock block blocked 卡住 死锁 阻塞
hash digest checksum fingerprint 哈希 摘要 校验和
header metadata 头部 头
hide hidden private internal 隐藏 私有 内部
history log audit trail journal 历史 日志 审计
host server machine node 主机 服务器 节点
http request rest web 请求
https secure security safe protect tls ssl 安全
identifier id key name identity 标识 编号 主键 键
idle inactive unused 空闲
import load include require 导入 引入
incoming inbound input 输入 传入
index lookup catalog 索引
inherit extend subclass derive base parent 继承 父类
install setup 安装
integer number int numeric float decimal 整数 数字 数值
invalid malformed bad illegal wrong broken incorrect 无效 非法 错误
job task work 任务 作业
json yaml toml config
keep kept retain preserve hold held store remain 保留 保存 保持
kill terminate stop end 杀死 终止
latency delay lag slow slowness 延迟 慢
leak exhaust exhausted grows unbounded 泄漏 耗尽
length size width long 长度 大小
license token key 许可
local localhost machine 本地
log logging logger record print trace 日志 记录
loop iterate iteration walk traverse each 遍历 循环 迭代
lost missing gone disappear vanish 丢失 不见
mark tag label flag annotate 标记 标签
match pattern regex glob regexp 匹配 正则 模式
memory ram heap 内存
migrate migration upgrade move 迁移 升级
minimum least min lower floor 最小 下限 最少
mistake wrong misuse usage error 误用
mobile phone android ios 手机 移动
mock fake stub dummy 模拟
monitor observe watch metric metrics telemetry 监控 观察 监听 指标
move relocate transfer shift 移动 转移
name title label 名称 名字
network connection internet socket tcp 网络
notify alert inform tell warn warning 通知 提醒 告警 警告
number digit figure 数字
old legacy obsolete deprecated former outdated previous 旧 废弃 过时
open launch 打开
optional nullable 可选
order sort sequence ordering sorted arrange rank 排序 顺序 次序
override overwrite replace supersede shadow 覆盖 重写 替换
own owner belong 所有者
page pagination paginate cursor offset 分页 页
parallel concurrent 并行
parse read interpret parser parsing decode 解析
password passphrase secret credential 密码 口令
path route location place 路径 位置
pause suspend hold 暂停
pay payment billing charge invoice checkout 支付 付款 账单 扣款
peak burst spike load traffic 峰值 流量 负载
plugin extension addon 插件 扩展
pool worker connections 池 连接池
prefix begin start 前缀
prevent avoid guard protect stop 防止 避免 保护
previous prior earlier before last 之前 上一
process subprocess child worker 进程 子进程
production prod live 生产 线上
protocol transport wire 协议
proxy gateway forward relay 代理 网关 转发
push send upload 推送
quota limit allowance throttle ratelimit 配额 限流
race contention simultaneous concurrent atomic 竞争 竞态
random arbitrary shuffle jitter 随机 抖动
rate-limit throttle limiter quota 限流 限速
raw original unprocessed 原始
read load fetch get 读取 读
ready available up healthy health 就绪 可用 健康
reason cause why because rationale 原因 理由
receive accept get consume 接收 收到 消费
record save store write persist keep 保存 存储 写入 记录
redirect forward 重定向 跳转
reduce shrink lower decrease cut minimize 减少 降低 缩小
reference pointer handle link 引用 指针
refresh reload renew update sync 刷新 重新加载 同步
register registry subscribe enroll signup 注册 订阅
release free dispose deallocate 释放
remember memorize store keep 记住
remote server upstream 远程
rename move 重命名 改名
repository repo project 仓库 项目
reset restart clear reinitialize reboot 重置 重启
resolve lookup determine compute calculate work 解析 计算 确定
restore recover recovery rollback revert undo 恢复 回滚 撤销 还原
resume continue 继续 恢复
return yield give produce 返回
reuse share shared 复用 重用
review inspect audit 审查 审核
role permission privilege 角色 权限
root base top 根 根目录
round precision rounding decimal 舍入 精度 取整
rule policy constraint restriction 规则 策略 约束
safe safety secure security 安全
sanitize escape clean filter 转义 清洗
save store write persist dump 保存 存储
schema model table structure 模式 结构 表结构
scope visibility range 范围 作用域
script program tool 脚本
separator delimiter divider 分隔符
service server daemon backend microservice 服务 后端
shape dimension size 形状 维度
sign signature signing 签名
silent silently quiet quietly swallow swallowed ignore 静默 悄悄
single one only sole 单个 唯一
size capacity length volume 大小 容量
skip ignore bypass 跳过
sleep wait delay pause 休眠 等待
slow sluggish expensive bottleneck performance slowness 慢 性能 瓶颈
small tiny short little 小
socket connection port 套接字 端口
stage phase step staging 阶段 步骤
stale outdated expired obsolete invalid old 陈旧 过期 失效
state status condition 状态
statement sentence query 语句
static constant 静态
store save persist keep storage 存储
string text str 字符串 文本
subset part partial portion section 部分 子集
suffix extension ending 后缀 扩展名
support handle compatible compatibility 支持 兼容
swap exchange switch replace 交换
sync synchronize synchronous replicate 同步
template layout 模板
temporary temp tmp transient 临时
test spec unittest testing pytest suite 测试 单元测试
throw raise 抛出
tidy clean format lint 整理
token jwt credential 令牌
transaction commit atomic atomically 事务 提交 原子
transform convert map 转换
tree hierarchy nested 树
trust believe rely 信任
unique distinct single uniqueness 唯一
unit measure 单位
unlock release 解锁 释放
unused dead orphan 未使用
upload send push put 上传
url link address uri 链接 网址
user account customer member person people 用户
utc timezone zone tz 时区
valid correct legal 有效 合法
value content 值
variable field 变量
version release revision 版本
visible public shown 可见 公开
warn warning caution 警告
watch monitor observe 监视
web browser http site 网页
whitelist allowlist allow-list safelist 白名单
wrap wrapper decorate decorator adapter 包装 装饰器 适配器
write written wrote save store persist emit output 写入 写
zero none empty nothing 零
"""
