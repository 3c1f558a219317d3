/**
 * Gives a function that runs the work at once. Calls while it runs, and in the pause after it, run it once more after the pause:
 * many may come in a second, and none may follow the last one. Runs never overlap, so slow work is not started over and over.
 */
export function atMostEvery(pauseMs: number, work: () => Promise<unknown>): () => void {
  let isBusy = false;
  let isWanted = false;
  const run = async () => {
    isBusy = true;
    while (isWanted) {
      isWanted = false;
      await work();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    isBusy = false;
  };
  return () => {
    isWanted = true;
    if (!isBusy) void run();
  };
}
