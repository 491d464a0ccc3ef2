import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Sleeps of 5 ms, or the pauses between the rounds of a scheduled executor. */
public class Waits {
  public static void main(String[] words) throws Exception {
    int count = Integer.parseInt(words[1]);
    long[][] rows = new long[count][];
    if (words[2].equals("executor")) rounds(rows);
    else
      for (int at = 0; at < count; at++) {
        long start = System.nanoTime();
        Thread.sleep(5);
        rows[at] = new long[] {5_000_000, start, System.nanoTime()};
      }
    StringBuilder text = new StringBuilder();
    for (long[] row : rows) text.append(row[0] + "," + row[1] + "," + row[2] + "\n");
    Files.writeString(Path.of(words[0]), text);
  }

  private static void rounds(long[][] rows) throws Exception {
    var done = new CountDownLatch(rows.length);
    var pool = Executors.newScheduledThreadPool(1);
    long[] last = {System.nanoTime()};
    Runnable round =
        () -> {
          int at = rows.length - (int) done.getCount();
          if (at == rows.length) return;
          rows[at] = new long[] {5_000_000, last[0], System.nanoTime()};
          done.countDown();
          last[0] = System.nanoTime();
        };
    pool.scheduleWithFixedDelay(round, 5, 5, TimeUnit.MILLISECONDS);
    done.await();
    pool.shutdownNow();
  }
}
