# What OTP's supervisors, registries and tasks do in some cases; prints one JSON object of case and outcome.
Logger.configure(level: :none)

defmodule Child do
  use GenServer
  def start_link({name, log, plan}), do: GenServer.start_link(__MODULE__, {name, log, plan}, name: name)

  def spec(name, log, plan \\ :fine, more \\ %{}) do
    Map.merge(%{id: name, start: {Child, :start_link, [{name, log, plan}]}}, more)
  end

  def init({name, log, plan}) do
    Process.flag(:trap_exit, true)

    case plan do
      :ignore -> :ignore
      {:moody, gate} -> if Agent.get(gate, & &1), do: {:stop, :moody}, else: begin(name, log)
      {:member, registry} ->
        {:ok, _} = Registry.register(registry, "me", nil)
        begin(name, log)
      :fine -> begin(name, log)
    end
  end

  defp begin(name, log) do
    Agent.update(log, &(&1 ++ ["+#{name}"]))
    {:ok, {name, log}}
  end

  def handle_call({:link, pid}, _, state), do: {:reply, Process.link(pid), state}
  def handle_info({:EXIT, _, reason}, state), do: {:stop, reason, state}
  def handle_cast(:crash, state), do: {:stop, :crash, state}
  def handle_cast(:leave, state), do: {:stop, :normal, state}

  def terminate(reason, {name, log}) do
    if reason == :shutdown, do: Agent.update(log, &(&1 ++ ["-#{name}"]))
  end
end

defmodule Automatic do # Elixir's Supervisor knows auto_shutdown since 1.15; OTP's does since 24
  def init(children), do: {:ok, {%{strategy: :one_for_one, auto_shutdown: :any_significant}, children}}
end

Process.flag(:trap_exit, true)
log = fn -> elem(Agent.start_link(fn -> [] end), 1) end
said = fn log -> Enum.join(Agent.get(log, & &1), " ") end
pause = fn -> Process.sleep(60) end
status = fn sup -> for {id, pid, _, _} <- Enum.reverse(Supervisor.which_children(sup)), into: "", do: "#{id}:#{if is_pid(pid), do: "running", else: if(pid == :restarting, do: "restarting", else: "stopped")} " end
down = fn pid -> receive do {:EXIT, ^pid, reason} -> inspect(reason) after 300 -> "alive" end end

restart = fn kind, message ->
  l = log.()
  {:ok, sup} = Supervisor.start_link([Child.spec(:a, l, :fine, %{restart: kind})], strategy: :one_for_one)
  GenServer.cast(:a, message)
  pause.()
  answer = String.trim(status.(sup))
  Supervisor.stop(sup)
  answer
end

strategy = fn kind ->
  l = log.()
  {:ok, sup} = Supervisor.start_link(for(n <- [:a, :b, :c], do: Child.spec(n, l)), strategy: kind)
  Agent.update(l, fn _ -> [] end)
  GenServer.cast(:b, :crash)
  pause.()
  answer = said.(l)
  Supervisor.stop(sup)
  answer
end

stranger = fn sup ->
  {:ok, other} = GenServer.start(Child, {:stranger, log.(), :fine})
  GenServer.call(other, {:link, sup})
  GenServer.cast(other, :crash)
  pause.()
  if Process.alive?(sup), do: "alive", else: "ended"
end

between = fn ->
  l = log.()
  {:ok, gate} = Agent.start_link(fn -> false end)
  children = [Child.spec(:a, l), Child.spec(:b, l, {:moody, gate}), Child.spec(:c, l)]
  {:ok, sup} = Supervisor.start_link(children, strategy: :one_for_all, max_restarts: 1_000_000)
  Agent.update(gate, fn _ -> true end)
  GenServer.cast(:b, :crash)
  pause.()
  Supervisor.terminate_child(sup, :b)
  answer = String.trim(status.(sup))
  Supervisor.stop(sup)
  answer
end

registry = fn ->
  l = log.()
  children = [{Registry, keys: :unique, name: Names}, Child.spec(:m, l, {:member, Names})]
  {:ok, sup} = Supervisor.start_link(children, strategy: :one_for_one)
  Supervisor.stop(Names)
  pause.()
  answer = "#{said.(l)}; #{length(Registry.lookup(Names, "me"))} entry"
  Supervisor.stop(sup)
  answer
end

task = fn work, limit ->
  {:ok, sup} = Task.Supervisor.start_link()
  t = Task.Supervisor.async_nolink(sup, work)
  pause.()
  answer = Task.shutdown(t, limit)
  Supervisor.stop(sup)
  case answer do nil -> "none"; {:exit, reason} -> "exited #{reason}"; {:ok, value} -> "ok #{value}" end
end

stubborn = fn -> Process.flag(:trap_exit, true); Process.sleep(:infinity) end

order = fn ->
  {:ok, pid} = GenServer.start_link(Child, {:x, log.(), :fine})
  Process.monitor(pid)
  GenServer.cast(pid, :crash)
  take = fn -> receive do {:EXIT, ^pid, _} -> "exit"; {:DOWN, _, _, ^pid, _} -> "down" end end
  "#{take.()} #{take.()}"
end

spawner = fn ->
  me = self()
  owner = spawn(fn -> send(me, {:started, Supervisor.start_link([], strategy: :one_for_one)}); receive do :leave -> :ok end end)
  {:ok, sup} = receive do {:started, answer} -> answer end
  ref = Process.monitor(sup)
  send(owner, :leave)
  receive do {:DOWN, ^ref, _, _, _} -> "ended" after 300 -> "alive" end
end

sub = fn kind ->
  l = log.()
  start = {Supervisor, :start_link, [[Child.spec(:a, l)], [strategy: :one_for_one, max_restarts: 0]]}
  {:ok, top} = Supervisor.start_link([%{id: :sub, start: start, restart: kind, type: :supervisor}], strategy: :one_for_one)
  GenServer.cast(:a, :crash)
  pause.()
  answer = String.trim(status.(top))
  Supervisor.stop(top)
  answer
end

once = fn ->
  {:ok, sup} = Supervisor.start_link([Child.spec(:a, log.())], strategy: :one_for_one, max_restarts: 0)
  GenServer.cast(:a, :crash)
  down.(sup)
end

significant = fn ->
  children = [Child.spec(:a, log.(), :fine, %{restart: :transient, significant: true}), Child.spec(:b, log.())]
  {:ok, sup} = :supervisor.start_link(Automatic, children)
  GenServer.cast(:a, :leave)
  down.(sup)
end

{:ok, dynamic} = DynamicSupervisor.start_link(strategy: :one_for_one)
{:ok, static} = Supervisor.start_link([], strategy: :one_for_one)
ignored = DynamicSupervisor.start_child(dynamic, Child.spec(:idle, log.(), :ignore))

cases = [
  {"a permanent child ends normally", restart.(:permanent, :leave)},
  {"a transient child ends normally", restart.(:transient, :leave)},
  {"a transient child crashes", restart.(:transient, :crash)},
  {"a temporary child crashes", restart.(:temporary, :crash)},
  {"the middle child of one_for_one crashes", strategy.(:one_for_one)},
  {"the middle child of rest_for_one crashes", strategy.(:rest_for_one)},
  {"the middle child of one_for_all crashes", strategy.(:one_for_all)},
  {"a crash at intensity 0", once.()},
  {"a significant child ends", significant.()},
  {"a sub-supervisor gives up, permanent", sub.(:permanent)},
  {"a sub-supervisor gives up, transient", sub.(:transient)},
  {"a restart of one_for_all fails and is terminated", between.()},
  {"a child of a dynamic supervisor ignores its start", if(ignored == :ignore, do: "ignored", else: inspect(ignored))},
  {"a stranger crashes that is linked to a supervisor", stranger.(static)},
  {"a stranger crashes that is linked to a dynamic supervisor", stranger.(dynamic)},
  {"the actor that started a supervisor with a link ends normally", spawner.()},
  {"a registry is stopped normally", registry.()},
  {"a task is shut down that stops in time", task.(fn -> Process.sleep(:infinity) end, 1_000)},
  {"a task is shut down that does not stop in time", task.(stubborn, 20)},
  {"a task is killed at once", task.(stubborn, :brutal_kill)},
  {"a linked and monitored actor ends", order.()}
]

quote_ = fn text -> "\"" <> String.replace(text, "\"", "\\\"") <> "\"" end
IO.puts("{" <> Enum.map_join(cases, ", ", fn {name, outcome} -> quote_.(name) <> ": " <> quote_.(outcome) end) <> "}")
