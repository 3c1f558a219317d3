import type { FileStore } from '../../../platform/files/file-store.ts';
import type { BackupPlace } from './backup-place.ts';
import { findExpired, type KeepRule } from './keep-rule.ts';

const folder = 'assay-backups';

/** The backups of a schedule in one store, each under the moment at which it began. */
export interface BackupSeries {
  /** The key of the backup that begins now, below the place that the operator named. */
  keyOf(takenAt: Date): string;
  placeOf(takenAt: Date): BackupPlace;
  /** Removes what a backup left that died while it wrote. */
  removeUnfinished(takenAt: Date): Promise<void>;
  /** Removes what the rule lets go, and returns the keys. Files that are no backups of the series stay. */
  prune(rule: KeepRule): Promise<string[]>;
}

export function openSeries(files: FileStore): BackupSeries {
  return {
    keyOf,
    placeOf: (takenAt) => ({
      write: (bytes) => files.write(keyOf(takenAt), bytes),
      read: () => files.read(keyOf(takenAt)),
    }),
    removeUnfinished: (takenAt) => files.remove(keyOf(takenAt)),
    prune: async (rule) => {
      const keys = await Array.fromAsync(files.list(folder));
      const backups = keys.flatMap((key) => {
        const takenAt = momentIn(key);
        return takenAt ? [{ key, takenAt }] : [];
      });
      const expired = findExpired(backups, rule).map(({ key }) => key);
      for (const key of expired) await files.remove(key);
      return expired;
    },
  };
}

const keyOf = (takenAt: Date): string =>
  `${folder}/${takenAt.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

function momentIn(key: string): Date | null {
  const [, day, hour, minute, second] = /\/(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/.exec(key) ?? [];
  if (!day) return null;
  const moment = new Date(`${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(moment.getTime()) ? null : moment;
}
