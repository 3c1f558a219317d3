import type { ValidationList } from '@assay/contract';

export type ListStatus =
  | 'DRAFT'
  | 'PREPARING'
  | 'FAILED'
  | 'PENDING'
  | 'PAUSED'
  | 'FINISHING'
  | 'COMPLETE'
  | 'DELETED';

interface Meaning {
  readonly next: readonly ListStatus[];
  /** What customers see. They cannot find, rename, export or delete a list without it. */
  readonly shownAs: ValidationList['status'] | null;
  /** Workers take up rows of the list. */
  readonly isWorkedOn: boolean;
  /** Results of the list are written and counted, and its progress is published. */
  readonly takesResults: boolean;
  /** The list holds credits, which its deletion settles. */
  readonly holdsCredits: boolean;
}

/** Every status of a list of any kind: what may follow it and what it allows. */
const meanings: Readonly<Record<ListStatus, Meaning>> = {
  // Earlier versions copied rows to drafts. A process that died left some, which the sweep deletes.
  DRAFT: { next: ['DELETED'], shownAs: null, isWorkedOn: false, takesResults: false, holdsCredits: false },
  // A job copies the rows. A pause is noted, and the list becomes PAUSED when its rows are there.
  PREPARING: {
    next: ['FAILED', 'PENDING', 'PAUSED', 'DELETED'],
    shownAs: 'PENDING',
    isWorkedOn: false,
    takesResults: false,
    holdsCredits: true,
  },
  // The rows could not be copied. The list has none and cost nothing.
  FAILED: {
    next: ['DELETED'],
    shownAs: 'PENDING',
    isWorkedOn: false,
    takesResults: false,
    holdsCredits: false,
  },
  PENDING: {
    next: ['PAUSED', 'FINISHING', 'COMPLETE', 'DELETED'],
    shownAs: 'PENDING',
    isWorkedOn: true,
    takesResults: true,
    holdsCredits: true,
  },
  // Results of work that was under way still count, and the last of them completes the list.
  PAUSED: {
    next: ['PENDING', 'FINISHING', 'COMPLETE', 'DELETED'],
    shownAs: 'PENDING',
    isWorkedOn: false,
    takesResults: true,
    holdsCredits: true,
  },
  // A job gives every row without a result the reason `not_checked`.
  FINISHING: {
    next: ['COMPLETE', 'DELETED'],
    shownAs: 'PENDING',
    isWorkedOn: false,
    takesResults: true,
    holdsCredits: true,
  },
  COMPLETE: {
    next: ['DELETED'],
    shownAs: 'COMPLETE',
    isWorkedOn: false,
    takesResults: false,
    holdsCredits: false,
  },
  // The sweep removes the rows later.
  DELETED: { next: [], shownAs: null, isWorkedOn: false, takesResults: false, holdsCredits: false },
};

const statusesWhere = (isWanted: (meaning: Meaning) => boolean): ListStatus[] =>
  (Object.keys(meanings) as ListStatus[]).filter((status) => isWanted(meanings[status]));

export const visibleStatuses = statusesWhere(({ shownAs }) => shownAs !== null);
export const workedOnStatuses = statusesWhere(({ isWorkedOn }) => isWorkedOn);
export const resultStatuses = statusesWhere(({ takesResults }) => takesResults);
/** The rows of the list are not there: it takes no results, and yet it is not complete. */
export const rowlessStatuses = statusesWhere(
  ({ shownAs, takesResults }) => shownAs === 'PENDING' && !takesResults,
);
/** The rows of the list are there, and it may have results. */
export const filledStatuses = statusesWhere(
  ({ shownAs, takesResults }) => shownAs === 'COMPLETE' || takesResults,
);
export const holdingStatuses = statusesWhere(({ holdsCredits }) => holdsCredits);

/** The statuses from which a list may become `status`: every change of a status names them in its SQL. */
export const statusesBefore = (status: ListStatus): ListStatus[] =>
  statusesWhere(({ next }) => next.includes(status));

export function shownStatus(status: ListStatus): ValidationList['status'] {
  const { shownAs } = meanings[status];
  if (shownAs === null) throw new Error(`Customers do not see a list that is ${status}.`);
  return shownAs;
}
