/** Watches how much processor time the turns of the event loop take. */
export function watchTurns() {
  let [longest, last] = [0, process.threadCpuUsage()];
  const look = () => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, user + system);
    last = process.threadCpuUsage();
  };
  const timer = setInterval(look, 1);
  return {
    longestCpuMs: () => {
      clearInterval(timer);
      look();
      return longest / 1_000;
    },
  };
}
