/** The build of recheck that is JavaScript alone: no Java, no binary, no other process. */
declare module 'recheck/lib/browser.js' {
  const recheck: { checkSync: typeof import('recheck').checkSync };
  export default recheck;
}
