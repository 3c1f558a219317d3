/** What a job works with. It runs on a reading thread, or in place for a short file. */
export interface JobFile {
  /** The contents of the file. */
  readonly bytes: AsyncIterable<Buffer>;
  /** Hands bytes to the caller, no faster than it takes them. */
  write(bytes: Uint8Array): Promise<void>;
  /** Asks the caller something, such as what the database knows; missing if it answers nothing. One question at a time. */
  ask?(question: unknown): Promise<unknown>;
}

/**
 * A way to read a file. Options and result cross between threads, so they hold plain data; of errors, only an `AppError`
 * arrives as what it is.
 */
export interface ReadJob<Options, Result> {
  /** The module that exports the job under its name; threads load it by its address. */
  readonly module: string;
  readonly name: string;
  run(file: JobFile, options: Options): Promise<Result>;
}

export const defineReadJob = <Options, Result>(
  module: string,
  name: string,
  run: ReadJob<Options, Result>['run'],
): ReadJob<Options, Result> => ({ module, name, run });
