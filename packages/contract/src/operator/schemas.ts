import * as z from 'zod/mini';
import { walletSchema } from '../billing.ts';
import { runStateSchema } from '../bulk.ts';
import { dateTimeSchema, idSchema } from '../fields.ts';
import { OPERATOR_ROLES } from '../route.ts';
import { featureFlagsSchema } from '../users.ts';

/**
 * What an account may do. `throttled` has a tenth of the requests per minute, and its lists come last. `held` starts no work, and its lists are paused,
 * until an operator has looked at it. `suspended` may only sign in, read and export.
 */
export const STANDINGS = ['open', 'throttled', 'held', 'suspended'] as const;
export type Standing = (typeof STANDINGS)[number];

export const REASON_LENGTH_MAX = 200;

/** Why an operator does something. It is kept for ever, also when the customer's account is deleted. */
export const reasonSchema = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Reason required'),
    z.maxLength(REASON_LENGTH_MAX, `Reason requires no more than ${REASON_LENGTH_MAX} characters`),
  );

export const OPERATOR_ACTION_KINDS = [
  'operator.added',
  'operator.role',
  'operator.removed',
  'customer.standing',
  'customer.credits',
  'customer.credits_taken',
  'customer.flag',
  'customer.second_factors',
  'coupon.created',
  'coupon.disabled',
  'list.restarted',
  'list.finished',
  'list.paused',
  'list.resumed',
  'job.retried',
  // What entries of earlier versions call it.
  'job.hurried',
  'dead_letter.retried',
  'dead_letter.discarded',
  'stripe_customer.deleted',
  'incident.opened',
  'incident.noted',
  'incident.closed',
  'owner.stopped',
  'owner.lifted',
] as const;
export type OperatorActionKind = (typeof OPERATOR_ACTION_KINDS)[number];

export const operatorActionSchema = z.object({
  /** Counts all actions from 1. */
  number: z.number(),
  date: dateTimeSchema,
  /** The operator's user id; null for the command line of the server. */
  actor_id: z.nullable(idSchema),
  /** Who ran the command, as the operating system names them. */
  actor_name: z.nullable(z.string()),
  kind: z.string(),
  customer_id: z.nullable(idSchema),
  /** What was done, such as `suspended` or a number of credits. */
  about: z.string(),
  reason: z.string(),
});
export type OperatorAction = z.output<typeof operatorActionSchema>;

export const operatorSchema = z.object({
  id: idSchema,
  role: z.enum(OPERATOR_ROLES),
  first_name: z.string(),
  last_name: z.string(),
  email_address: z.string(),
});
export type Operator = z.output<typeof operatorSchema>;

const verdictCountsSchema = z.object({
  valid: z.number(),
  invalid: z.number(),
  catch_all: z.number(),
  unknown: z.number(),
});

const egressSchema = z.object({
  egress: z.string(),
  is_port_closed: z.boolean(),
  is_listed: z.boolean(),
  checked_date: dateTimeSchema,
  findings: z.array(
    z.object({ check: z.string(), status: z.string(), detail: z.string(), fix: z.nullable(z.string()) }),
  ),
});
export type OperatorEgress = z.output<typeof egressSchema>;

const queueSchema = z.object({
  name: z.string(),
  /** Jobs that could start now, and those that run. */
  waiting: z.number(),
  active: z.number(),
  /** How long the oldest of the waiting jobs could have started. */
  oldest_seconds: z.nullable(z.number()),
});

const processSchema = z.object({
  kind: z.enum(['api', 'worker', 'identity']),
  version: z.string(),
  commit: z.string(),
  host: z.string(),
  /** Whether it gave a sign of life within the last seconds. */
  is_live: z.boolean(),
  start_date: dateTimeSchema,
  last_sign_date: dateTimeSchema,
});
export type OperatorProcess = z.output<typeof processSchema>;

export const OVERVIEW_MINUTES = 60;

export const operatorOverviewSchema = z.object({
  date: dateTimeSchema,
  queues: z.array(queueSchema),
  /** The last hour by the minute, the oldest first. */
  minutes: z.array(
    z.object({
      date: dateTimeSchema,
      checks: verdictCountsSchema,
      requests: z.number(),
      errors: z.number(),
      failed_jobs: z.number(),
    }),
  ),
  /** The providers with the most checks of the last 24 hours. */
  providers: z.array(z.object({ provider: z.string(), checks: verdictCountsSchema })),
  /** The calls that answered with a 5xx, and the jobs that failed, most of the last hour first. */
  errors: z.array(z.object({ source: z.string(), count: z.number() })),
  egresses: z.array(egressSchema),
  dead_letters: z.number(),
  stuck_lists: z.number(),
  /** The disk of the folder with uploaded files; null if they are in an object store. */
  disk: z.nullable(z.object({ total_bytes: z.number(), free_bytes: z.number() })),
  database_bytes: z.number(),
  /** Null if no backup was recorded. */
  last_backup_date: z.nullable(dateTimeSchema),
  /** The newest first, with those that ended without a word within the last day. */
  processes: z.array(processSchema),
});
export type OperatorOverview = z.output<typeof operatorOverviewSchema>;

const customerFields = {
  id: idSchema,
  first_name: z.string(),
  last_name: z.string(),
  email_address: z.string(),
  standing: z.enum(STANDINGS),
  balance: z.number(),
  creation_date: dateTimeSchema,
};
export const operatorCustomerSchema = z.object(customerFields);
export type OperatorCustomer = z.output<typeof operatorCustomerSchema>;

/** Whose something is. */
const ownerSchema = z.object({
  id: idSchema,
  first_name: z.string(),
  last_name: z.string(),
  email_address: z.string(),
});
export type OperatorOwner = z.output<typeof ownerSchema>;

export const listKindSchema = z.enum(['emails', 'people']);

export const operatorListSchema = z.object({
  id: idSchema,
  owner_id: idSchema,
  kind: listKindSchema,
  name: z.string(),
  status: z.enum(['PENDING', 'COMPLETE']),
  run_state: z.nullable(runStateSchema),
  /** Whether its rows are still to be copied, also while it is paused. */
  is_preparing: z.boolean(),
  progress: z.number(),
  total: z.number(),
  creation_date: dateTimeSchema,
});
export type OperatorList = z.output<typeof operatorListSchema>;

const keySchema = z.object({
  id: idSchema,
  /** Null for the key with all scopes. */
  name: z.nullable(z.string()),
  mode: z.string(),
  scopes: z.array(z.string()),
  creation_date: dateTimeSchema,
  last_used_date: z.nullable(dateTimeSchema),
});

const abuseSchema = z.object({
  /** From 0 to 100. */
  score: z.number(),
  reasons: z.array(z.string()),
  date: dateTimeSchema,
});
export type AbuseScore = z.output<typeof abuseSchema>;

export const operatorCustomerDetailSchema = z.object({
  ...customerFields,
  phone: z.nullable(z.string()),
  identities: z.array(z.string()),
  feature_flags: featureFlagsSchema,
  /** Null for an account that is no operator here. */
  operator_role: z.nullable(z.enum(OPERATOR_ROLES)),
  wallet: walletSchema,
  keys: z.array(keySchema),
  /** Null if the lists of the account were not scored. */
  abuse: z.nullable(abuseSchema),
});
export type OperatorCustomerDetail = z.output<typeof operatorCustomerDetailSchema>;

export const runningListSchema = z.extend(operatorListSchema, {
  /** Null if the account was deleted a moment ago. */
  owner: z.nullable(ownerSchema),
  /** Results per minute since the list was created, on average. */
  rows_per_minute: z.number(),
  /** The last result, or the creation if there is none. */
  last_result_date: dateTimeSchema,
  why: z.enum([
    'preparing',
    'working',
    'no_jobs',
    'jobs_failing',
    'waiting_for_hosts',
    'port_closed',
    'waiting_for_workers',
  ]),
  detail: z.nullable(z.string()),
});
export type RunningList = z.output<typeof runningListSchema>;

/** Where the next page begins, as the page before says. */
export const listCursorSchema = z
  .string()
  .check(z.maxLength(60), z.regex(/^\d{1,15}_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/));

const jobFields = {
  id: idSchema,
  queue: z.string(),
  /** What the job does, such as "Verification of the list “Spring”, piece 3 of 20". */
  words: z.string(),
  /** Whose work it is; null for the product's own, and if the account is deleted. */
  owner: z.nullable(ownerSchema),
  tries: z.number(),
  problem: z.string(),
};
export const failingJobSchema = z.object({ ...jobFields, next_date: dateTimeSchema });
export type FailingJob = z.output<typeof failingJobSchema>;

export const deadLetterSchema = z.object({ ...jobFields, date: dateTimeSchema });
export type DeadLetter = z.output<typeof deadLetterSchema>;

const foundJobSchema = z.object({ ...jobFields, state: z.string(), date: dateTimeSchema });
export type FoundJob = z.output<typeof foundJobSchema>;

export const operatorErrorSchema = z.object({
  /** Counts all errors; later ones have higher numbers. */
  id: z.number(),
  date: dateTimeSchema,
  /** The call or the queue. */
  source: z.string(),
  type: z.string(),
  /** Without personal data, like the stack. */
  message: z.string(),
  stack: z.string(),
  /** Null for jobs that were not traced. */
  trace_id: z.nullable(z.string()),
  job_id: z.nullable(idSchema),
  customer_id: z.nullable(idSchema),
});
export type OperatorError = z.output<typeof operatorErrorSchema>;

const foundCheckSchema = z.object({
  owner: z.nullable(ownerSchema),
  /** Null for a single check. */
  list: z.nullable(z.object({ id: idSchema, name: z.string() })),
  date: dateTimeSchema,
});
export type FoundCheck = z.output<typeof foundCheckSchema>;

export const SEARCH_LENGTH_MAX = 254;

export const operatorFindingsSchema = z.object({
  /** What the text was taken for. */
  by: z.enum(['newest', 'id', 'trace', 'address_hash', 'name']),
  customers: z.array(operatorCustomerSchema),
  lists: z.array(operatorListSchema),
  jobs: z.array(foundJobSchema),
  errors: z.array(operatorErrorSchema),
  /** Checks of the address with this hash. The address itself is not shown. */
  checks: z.array(foundCheckSchema),
  /** How far a search by hash looked back; null for other searches, and if it looked at everything. */
  searched_back_to: z.nullable(
    z.object({ singles: z.nullable(dateTimeSchema), lists: z.nullable(dateTimeSchema) }),
  ),
});
export type OperatorFindings = z.output<typeof operatorFindingsSchema>;

export const operatorWebhookSchema = z.object({
  id: idSchema,
  /** Of its URL, whose path may hold a secret. */
  host: z.string(),
  event_types: z.nullable(z.array(z.string())),
  creation_date: dateTimeSchema,
});

export const couponSchema = z.object({
  code: z.string(),
  credits: z.number(),
  redemptions: z.number(),
  redemptions_max: z.nullable(z.number()),
  expiration_date: z.nullable(dateTimeSchema),
  state: z.enum(['open', 'disabled', 'expired', 'exhausted']),
  creation_date: dateTimeSchema,
});
export type OperatorCoupon = z.output<typeof couponSchema>;

export const callRequestSchema = z.object({
  id: idSchema,
  customer_id: idSchema,
  first_name: z.string(),
  last_name: z.string(),
  email_address: z.string(),
  phone: z.nullable(z.string()),
  subject: z.string(),
  description: z.string(),
  creation_date: dateTimeSchema,
  /** Where the request was sent to, beside this list. */
  deliveries: z.array(
    z.object({
      channel: z.string(),
      tries: z.number(),
      problem: z.nullable(z.string()),
      accepted_date: z.nullable(dateTimeSchema),
    }),
  ),
});
export type CallRequest = z.output<typeof callRequestSchema>;

/** What an operator decides about. A mailbox whose credits another account has is not among them. */
const REVIEWED_REASONS = ['disposable_domain', 'domain_limit'] as const;

export const FREE_CREDITS_WITHHELD_REASONS: Readonly<Record<(typeof REVIEWED_REASONS)[number], string>> = {
  disposable_domain: 'Disposable mail domain',
  domain_limit: 'More sign-ups at the mail domain than a day allows',
};

export const withheldCreditsSchema = z.extend(operatorCustomerSchema, {
  withheld_because: z.enum(REVIEWED_REASONS),
});
export type WithheldCredits = z.output<typeof withheldCreditsSchema>;

export const suspectSchema = z.extend(operatorCustomerSchema, { abuse: abuseSchema });
export type Suspect = z.output<typeof suspectSchema>;

const questionCounts = {
  /** The name of a published provider, or the registrable domain of other hosts. */
  provider: z.string(),
  /** Recipients asked about, with the proofs and controls. */
  questions: z.number(),
  proofs: z.number(),
  controls: z.number(),
  /** Recipients that the provider does not know, and replies that block us. */
  unknown: z.number(),
  blocked: z.number(),
};
const providerQuestionsSchema = z.object(questionCounts);
export type ProviderQuestions = z.output<typeof providerQuestionsSchema>;

const accountQuestionsSchema = z.object({ ...questionCounts, owner: ownerSchema });
export type AccountQuestions = z.output<typeof accountQuestionsSchema>;

/** Who asked mail providers what, those with the most unknown recipients first. */
export const questionsSchema = z.object({
  providers: z.array(providerQuestionsSchema),
  accounts: z.array(accountQuestionsSchema),
});

export const listQuestionsSchema = z.object({
  ...questionCounts,
  /** Null for single checks and guesses; the name is null for a list that was deleted. */
  list: z.nullable(z.object({ id: idSchema, name: z.nullable(z.string()) })),
});
export type ListQuestions = z.output<typeof listQuestionsSchema>;

const weatherCounts = {
  egress: z.string(),
  /** A provider with published limits; `others` for all other hosts. */
  provider: z.string(),
  answered: z.number(),
  deferred: z.number(),
  blocked: z.number(),
  timed_out: z.number(),
  /** Kept back by our own limits. */
  held_back: z.number(),
};
const weatherPlaceSchema = z.object({
  ...weatherCounts,
  /** How many recipients the provider may not know, of so many; null if it was not asked lately. */
  limit: z.nullable(
    z.object({
      allowed: z.number(),
      recipients: z.number(),
      spent: z.number(),
      why: z.enum(['usual', 'new_egress', 'after_block', 'resting']),
      /** Until when nobody asks. */
      end_date: z.nullable(dateTimeSchema),
    }),
  ),
});
export type WeatherPlace = z.output<typeof weatherPlaceSchema>;
const weatherPointSchema = z.object({ date: dateTimeSchema, ...weatherCounts });
export type WeatherPoint = z.output<typeof weatherPointSchema>;

/** How mail providers answer each egress. */
export const operatorWeatherSchema = z.object({
  /** Of the last hour. */
  places: z.array(weatherPlaceSchema),
  /** Of the time that was asked for, by hour for a day and by day for longer. */
  points: z.array(weatherPointSchema),
});
export type OperatorWeather = z.output<typeof operatorWeatherSchema>;
export const WEATHER_DAYS = [1, 7, 30] as const;

/** Bills are kept for a year. */
export const QUESTION_DAYS = [1, 7, 30, 365] as const;

/** More than any plan has in a month, so probably a typing mistake. */
export const GRANT_CREDITS_MAX = 100_000_000;
/** No customer has as many entries in the ledger. */
export const ENTRY_NUMBER_MAX = 1_000_000_000;
/** How many customers may redeem one coupon. */
export const REDEMPTIONS_MAX = 1_000_000_000;
/** The longest answers. Operators narrow the search, or mend what is shown first, to see more. */
export const OPERATOR_ROWS_MAX = 50;
