import './recovery.tables.ts';

export { BackupDamaged } from './backup/archive.ts';
export { openBackupPlace } from './backup/backup-place.ts';
export { describeSecrets, readSecrets } from './backup/kept-secrets.ts';
export { checkBackup, loadBackup, RestoreRefused } from './backup/restore-backup.ts';
export { BackupLocked, isRecipient, newBackupKey } from './backup/seal.ts';
export { writeBackup } from './backup/write-backup.ts';
export { recordBackup } from './backup-records.ts';
export { catchUpAfterRestore, refuseUnfinishedRestore } from './catch-up-after-restore.ts';
export { recoveryHandlers } from './recovery.handlers.ts';
