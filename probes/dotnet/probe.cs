// .NET's timers, as a probe (docs/RUNTIMES.md): "delay" measures Task.Delay, anything else Thread.Sleep.
using System;
using System.Diagnostics;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

class Probe
{
    // On Linux a Stopwatch reads the monotonic clock in nanoseconds.
    static long Now() { return (long)(Stopwatch.GetTimestamp() * (1e9 / Stopwatch.Frequency)); }

    static async Task<string> Block(long request, int count, bool delay)
    {
        var time = TimeSpan.FromTicks(request / 100);
        var starts = new long[count];
        var ends = new long[count];
        for (int n = 0; n < count; n++)
        {
            starts[n] = Now();
            if (delay) await Task.Delay(time); else Thread.Sleep(time);
            ends[n] = Now();
        }
        var rows = new StringBuilder("requested_ns,start_ns,end_ns\n");
        for (int n = 0; n < count; n++) rows.Append(request + "," + starts[n] + "," + ends[n] + "\n");
        return rows.ToString();
    }

    static void Main(string[] arguments)
    {
        bool delay = arguments.Length > 0 && arguments[0] == "delay";
        Console.WriteLine("# oversleep-probe 1 clock=monotonic runtime=.NET " + Environment.Version);
        for (string line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            var words = line.Split(' ');
            Console.WriteLine(Block(long.Parse(words[0]), int.Parse(words[1]), delay).Result);
        }
    }
}
