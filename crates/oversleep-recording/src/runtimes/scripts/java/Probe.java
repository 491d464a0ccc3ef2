// Every Java probe is this class, which implements oversleep's protocol, with the name of another, which sleeps.
import java.io.*;
import java.lang.management.ManagementFactory;
import java.util.concurrent.*;
import java.util.concurrent.locks.LockSupport;

class Probe {
    static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream().mapToLong(bean -> bean.getCollectionCount()).sum();
    }

    static volatile boolean busy;

    // One of the threads that compute during a block of sleeps.
    static void work() {
        while (true) {
            while (busy) {
            }
            LockSupport.parkNanos(100_000);
        }
    }

    static long[][] oneByOne(Sleeper api, long request, int count) throws Exception {
        long[][] rows = new long[count][2];
        for (long[] row : rows) {
            row[0] = System.nanoTime();
            api.sleep(request);
            row[1] = System.nanoTime();
        }
        return rows;
    }

    public static void main(String[] arguments) throws Exception {
        long cost = Long.MAX_VALUE;
        for (int n = 0; n < 20_000; n++) {
            cost = Math.min(cost, -System.nanoTime() + System.nanoTime());
        }
        int load = Integer.parseInt(System.getenv().getOrDefault("OVERSLEEP_LOAD", "0"));
        Sleeper api = (Sleeper) Class.forName(arguments[0]).getDeclaredConstructor().newInstance();
        for (int n = 0; n < load; n++) {
            Thread thread = new Thread(Probe::work);
            thread.setDaemon(true);
            thread.start();
        }
        System.out.printf("# oversleep-probe 1 clock=monotonic mode=%s cost_ns=%d load=%d runtime=Java %s%n",
            api.isSchedule() ? "schedule" : "sleep", cost, load, System.getProperty("java.version"));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            long request = Long.parseLong(words[0]);
            long before = collections();
            busy = true;
            long[][] rows = api.block(request, Integer.parseInt(words[1]));
            busy = false;
            // Java does not tell during which sleep a collection took place: they are counted.
            StringBuilder out = new StringBuilder("# collections " + (collections() - before) + "\n");
            out.append("requested_ns,start_ns,end_ns\n");
            for (long[] row : rows) {
                out.append(request).append(',').append(row[0]).append(',').append(row[1]).append('\n');
            }
            System.out.println(out);
        }
        System.exit(0);
    }
}

abstract class Sleeper {
    void sleep(long nanos) throws Exception {
    }

    boolean isSchedule() {
        return false;
    }

    long[][] block(long request, int count) throws Exception {
        return Probe.oneByOne(this, request, count);
    }
}

