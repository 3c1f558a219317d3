const DAY_MS = 86_400_000;
/** After a month an account is not new, whatever its owner has tried. */
const NEW_FOR_DAYS = 30;

interface Progress {
  readonly singles: number;
  readonly lists: number;
  readonly hasOpenedEvidence: boolean;
  readonly hasKey: boolean;
}

export interface FirstStep {
  readonly id: 'check' | 'import' | 'evidence' | 'key';
  readonly text: string;
  readonly isDone: boolean;
}

/** What a new customer tries first, in this order. */
export const firstStepsOf = ({ singles, lists, hasOpenedEvidence, hasKey }: Progress): FirstStep[] => [
  { id: 'check', text: 'Check one email', isDone: singles > 0 },
  { id: 'import', text: 'Import the sample list', isDone: lists > 0 },
  { id: 'evidence', text: 'Open the evidence', isDone: hasOpenedEvidence },
  { id: 'key', text: 'Create an API key', isDone: hasKey },
];

export const isNewAccount = (creationDate: string, now: Date): boolean =>
  now.getTime() - Date.parse(creationDate) < NEW_FOR_DAYS * DAY_MS;
