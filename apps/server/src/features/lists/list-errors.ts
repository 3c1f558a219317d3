import { AppError } from '../../platform/errors/index.ts';
import type { ListHead } from './list-kind.ts';
import type { ListPlace } from './list-place.ts';

export function notFound({ listId }: ListPlace): never {
  throw new AppError('list_not_found', { listId });
}

export function requireCompletion<Row extends ListHead>(list: Row): Row {
  if (list.status === 'FAILED') throw new AppError('list_failed', { listId: list.id });
  if (list.status !== 'COMPLETE') throw new AppError('list_not_complete', { listId: list.id });
  return list;
}
