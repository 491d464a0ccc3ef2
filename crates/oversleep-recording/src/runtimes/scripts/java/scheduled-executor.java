class ScheduledExecutor extends Sleeper {
    final ScheduledExecutorService service = Executors.newSingleThreadScheduledExecutor();

    // The task's thread reads the clock: the return to this thread is not part of the sleep.
    long[][] block(long request, int count) throws Exception {
        long[][] rows = new long[count][2];
        for (long[] row : rows) {
            row[0] = System.nanoTime();
            row[1] = service.schedule(System::nanoTime, request, TimeUnit.NANOSECONDS).get();
        }
        return rows;
    }
}
