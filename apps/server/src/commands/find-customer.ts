import type { User } from '@assay/contract';
import { findUser, findUsersByEmail } from '../features/users/index.ts';
import type { Db } from '../platform/database/database.ts';
import { uuid } from '../platform/database/uuid.ts';
import { CommandRefused, UsageError } from './command.ts';

/** The arguments that name a customer. */
export const customerOptions = { email: { type: 'string' }, user: { type: 'string' } } as const;

/** Finds the customer; throws if there is none or several. */
export async function findCustomer(
  db: Db,
  { email, user }: { email?: string; user?: string },
): Promise<User> {
  if ((email === undefined) === (user === undefined)) {
    throw new UsageError('Name the customer by either --email or --user.');
  }
  const found = email === undefined ? await findOneById(db, user ?? '') : await findUsersByEmail(db, email);
  const [customer, ...others] = found;
  if (!customer) throw new CommandRefused('There is no such customer.');
  if (others.length > 0) {
    const ids = found.map(({ id, creation_date }) => `  ${id}  since ${creation_date.slice(0, 10)}`);
    throw new CommandRefused(
      `${found.length} accounts carry this address. Choose one by --user:\n${ids.join('\n')}`,
    );
  }
  return customer;
}

async function findOneById(db: Db, id: string): Promise<User[]> {
  if (!uuid.test(id)) throw new UsageError('--user takes the id of a customer, a UUID.');
  const user = await findUser(db, id);
  return user ? [user] : [];
}
