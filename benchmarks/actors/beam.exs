# The BEAM's GenServer, for comparison; prints one JSON line with the names that the other rows have.
defmodule Mirror do
  use GenServer
  def init(nothing), do: {:ok, nothing}
  def handle_call(message, _caller, state), do: {:reply, message, state}
end

defmodule Tally do
  use GenServer
  def init({left, owner}), do: {:ok, {left, owner}}

  def handle_cast(_message, {1, owner}) do
    send(owner, :all_here)
    {:noreply, {0, owner}}
  end

  def handle_cast(_message, {left, owner}), do: {:noreply, {left - 1, owner}}
end

scale = System.get_env("SCALE", "1.0") |> Float.parse() |> elem(0)
size = fn full -> max(1, round(full * scale)) end
# microseconds for each of `count` operations
each_us = fn count, work -> elem(:timer.tc(work), 0) / count end

{:ok, mirror} = GenServer.start(Mirror, nil)
asks = size.(100_000)
for number <- 1..1_000, do: GenServer.call(mirror, number)
ask = each_us.(asks, fn -> Enum.each(1..asks, &GenServer.call(mirror, &1)) end)

tells = size.(1_000_000)
{:ok, tally} = GenServer.start(Tally, {tells, self()})

tell =
  each_us.(tells, fn ->
    Enum.each(1..tells, &GenServer.cast(tally, &1))
    receive do: (:all_here -> :ok)
  end)

many = size.(10_000)
before = :erlang.memory(:processes)

{took, actors} =
  :timer.tc(fn ->
    started = for _ <- 1..many, do: elem(GenServer.start(Mirror, nil), 1)
    Enum.each(started, &GenServer.call(&1, :hello))
    started
  end)

bytes = (:erlang.memory(:processes) - before) / many
stop = each_us.(many, fn -> Enum.each(actors, &GenServer.stop/1) end)

IO.puts(
  ~s({"ask_per_s": #{round(1.0e6 / ask)}, "tell_per_s": #{round(1.0e6 / tell)}, ) <>
    ~s("spawn_us": #{took / many}, "stop_us": #{stop}, "idle_bytes": #{bytes}})
)
