import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';

const tables = { list_id: 'lists', validation_id: 'single_validations', upload_id: 'uploads' } as const;

/** What a path can name, by its parameter. */
export type NamedWork = keyof typeof tables;

/** Whether it exists and is not of the sandbox. */
export async function isLiveWork(
  db: Db,
  named: NamedWork,
  { ownerId, id }: { readonly ownerId: AccountId; readonly id: string },
): Promise<boolean> {
  const row = await db
    .selectFrom(tables[named])
    .select('is_sandbox')
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.is_sandbox === false;
}
