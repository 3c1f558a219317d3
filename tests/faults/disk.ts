import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Three times what a round needs. */
const sizeMegabytes = 512;
const piece = Buffer.alloc(1024 * 1024);

/** A file system of its own for the database and the files, so that it can be full without harm to others. */
export class Disk {
  readonly #folder: string;
  readonly #ballast: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#ballast = join(folder, 'ballast');
  }

  /** Null where this process may not mount one. */
  static async mount(folder: string): Promise<Disk | null> {
    const options = `size=${sizeMegabytes}m,mode=755`;
    try {
      await run('mount', ['-t', 'tmpfs', '-o', options, 'assay-faults', folder]);
      return new Disk(folder);
    } catch {
      return null;
    }
  }

  /** Writes until nothing is left: the last write is a short one. */
  async fill(): Promise<void> {
    const file = await open(this.#ballast, 'w');
    try {
      for (;;) await file.write(piece);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      await file.close();
    }
  }

  async free(): Promise<void> {
    await rm(this.#ballast, { force: true });
  }

  async unmount(): Promise<void> {
    await run('umount', [this.#folder]);
  }
}
