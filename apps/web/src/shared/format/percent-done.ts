/** The higher of what the server and the live line say, rounded up. */
export const percentDone = (serverProgress: number, liveProgress: number | undefined): number =>
  Math.ceil(Math.max(serverProgress, liveProgress ?? 0));
