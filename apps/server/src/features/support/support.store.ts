import type { Db } from '../../platform/database/database.ts';

interface NewCase {
  readonly ownerId: string;
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  readonly now: Date;
}

export async function insertCase(db: Db, { ownerId, id, subject, description, now }: NewCase): Promise<void> {
  await db
    .insertInto('support_cases')
    .values({ owner_id: ownerId, id, subject, description, created_at: now })
    .execute();
}
