import './recovery.tables.ts';

export { BackupDamaged } from './backup/archive.ts';
export { type BackupPlace, openBackupPlace, openSeriesStore } from './backup/backup-place.ts';
export { openSeries } from './backup/backup-series.ts';
export { type KeepRule, readKeepRule } from './backup/keep-rule.ts';
export { describeSecrets, readSecrets } from './backup/kept-secrets.ts';
export { checkBackup, loadBackup, RestoreRefused } from './backup/restore-backup.ts';
export { BackupLocked, isRecipient, newBackupKey } from './backup/seal.ts';
export { writeBackup } from './backup/write-backup.ts';
export { giveUpDeadBackups, recordBackup } from './backup-records.ts';
export { catchUpAfterRestore, type RestoreEnd, refuseUnfinishedRestore } from './catch-up-after-restore.ts';
export { recoverDatabase, requireStopped } from './recover-database.ts';
export { recoveryHandlers } from './recovery.handlers.ts';
export { rehearseRestore } from './rehearse-restore.ts';
