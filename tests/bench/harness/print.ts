const printed: string[] = [];

/** Prints figures and keeps them for the page of the run. */
export function print(text: string): void {
  console.log(text);
  printed.push(text);
}

/** What was printed since the last call. */
export function takePrinted(): string {
  return printed.splice(0).join('\n');
}
