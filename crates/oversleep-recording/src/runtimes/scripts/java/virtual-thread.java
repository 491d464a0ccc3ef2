class VirtualThread extends Sleeper {
    // All probes are compiled together, also by versions that have no virtual threads.
    Thread start(Runnable task) throws ReflectiveOperationException {
        return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
    }

    VirtualThread() {
        try {
            start(() -> {}).join();
        } catch (Exception missing) {
            System.err.println("this version has no virtual threads");
            System.exit(1);
        }
    }

    long[][] block(long request, int count) throws Exception {
        long[][][] rows = new long[1][][];
        start(() -> {
            try {
                rows[0] = Probe.oneByOne(this, request, count);
            } catch (Exception impossible) {
                throw new RuntimeException(impossible);
            }
        }).join();
        return rows[0];
    }

    void sleep(long nanos) throws Exception {
        Thread.sleep(nanos / 1_000_000, (int) (nanos % 1_000_000));
    }
}
