import { byFlag, FLAG_TABLE } from '../names/verdict-names.ts';
import { outcomeKindSchema } from '../sending/check-outcomes.ts';
import type { SchemaName } from './schema-names.ts';
import { type FieldWords, suppressionCounts } from './shared-fields.ts';

const list: FieldWords = {
  id: 'The id of the list.',
  name: 'The name of the list.',
  status: '`COMPLETE` when every row has its result.',
  progress: 'How much of the list is done, from 0 to 100.',
  completion_date: 'When the last row got its result; null while the list runs.',
  file_name: 'The name of the file that the list was made of; null for older lists.',
  charged_credits: 'What the results so far cost.',
  run_state:
    'What a list does: `preparing` while its rows are copied, `waiting` if all rows that are left wait for their mail hosts, `failed` if its rows could not be copied, which costs nothing; null when the list is complete.',
  waiting: 'The mail hosts that rows wait for, soonest first.',
  'waiting.host': 'The name of the mail host, or of its provider where our own limit is the cause.',
  'waiting.cause':
    '`mail_host` if the host asked us to come back; `our_limits` if we ask its provider slowly, so that it need not block us.',
  'waiting.until': 'When we ask the host again.',
  'waiting.count': 'How many rows wait for this host.',
  preparation: 'How far a list is whose rows are not there yet; null when they are.',
  'preparation.copied_rows': 'How many rows are copied so far.',
  'preparation.total_rows': 'How many rows there are to copy; 0 while a long file is still counted.',
  'preparation.problem': 'Why the rows could not be copied; null while they are copied.',
  'preparation.problem.code': 'The code of the error.',
  'preparation.problem.message': 'What happened and what to do next.',
  source_list_id: 'The list whose unknown rows this list verifies again; null for others.',
};

const traits: FieldWords = {
  flags: 'What is known about the address besides its verdict; null until it is checked.',
  mx_provider:
    'Who runs the mail host: `Google`, `Microsoft 365`, or the domain of a host that is not well known; null if there is none.',
  suggestion: 'The address that was probably meant, if the domain looks mistyped.',
};

const evidence: FieldWords = { evidence: 'What was asked and answered, step by step.' };

const single: FieldWords = {
  id: 'The id of the single check.',
  email_address: 'The address that is checked.',
  email_address_status: 'The verdict; null until the check is complete.',
  status: '`COMPLETE` when the verdict is there.',
  reason: 'Why the verdict is what it is; null until the check is complete.',
  waiting: 'What an unfinished check waits for; null while it is under way, and when it is complete.',
  'waiting.cause': '`mail_host` if the mail host asked us to come back; the others are delays on our side.',
  'waiting.host': 'The mail host, or the domain if its hosts are not known.',
  'waiting.until': 'When we try again; null if we do not know.',
  'waiting.text': 'The cause as a sentence.',
  outcomes: 'What happened to mail for it after the check, the latest first; absent if you reported nothing.',
};

const listEmail: FieldWords = {
  id: 'The id of the address in its list.',
  email_address: 'The address.',
  email_address_status: 'The verdict; null until the address is checked.',
  reason: 'Why the verdict is what it is; null until the address is checked.',
  ...traits,
  outcomes: 'What happened to mail for it after the check, the latest first; absent if you reported nothing.',
};

const guess: FieldWords = {
  id: 'The id of the guess.',
  first_name: 'The first name of the person.',
  last_name: 'The last name of the person; empty for a single name.',
  domain: 'The domain of the company.',
  status: '`COMPLETE` when the outcome is there.',
  outcome: 'What the guess found; null until it is complete.',
  email_address: 'The proved address, or with `CATCH_ALL` the likeliest one; null if none was found.',
  reason: 'Why the outcome is what it is; null until the guess is complete.',
  charged_credits: 'What the guess cost: 1 for a clear answer, 0 for UNKNOWN; null until it is complete.',
};

const key: FieldWords = {
  name: 'The name that you gave the key.',
  scopes: 'What the key may do; every key may read `billing/me`.',
  monthly_credit_limit:
    'The credits that work of a calendar month (UTC) may hold and cost; null for no limit.',
  allowed_networks: 'Where the key may be used from, as IP addresses or networks; empty for everywhere.',
  expiration_date: 'From when on the key is refused; null for never.',
};

const mode: FieldWords = {
  mode: '`test` for a key that answers from the sandbox and costs nothing; `live` otherwise.',
};

const scopedKey: FieldWords = {
  id: 'The id of the key.',
  ...key,
  ...mode,
  month_credits: 'The credits that the key’s work of this calendar month (UTC) cost or holds.',
  masked_token: 'The start of the secret, `…` and its last four characters.',
  previous_token_until: 'Until when the secret before the last roll is valid; null if it is not.',
  last_used_date: 'When the key was last used, to the minute; null for never.',
};

const topUpOrder: FieldWords = {
  is_on: 'Whether packs are bought automatically.',
  below: 'A pack is bought when the balance falls below this.',
  pack: 'The pack to buy.',
  monthly_cap_in_cents: 'The most that automatic purchases of a calendar month (UTC) may cost.',
};

const estimate: FieldWords = {
  sampled: 'The size of the sample.',
  total: 'How many rows of the file can be billed; the sample was drawn from them.',
  no_mail_host: 'How many of the sample have a domain that takes no mail.',
  mail_host:
    'How many of the sample have a domain that takes mail; only its host can tell whether the mailbox exists.',
  not_looked_up: 'How many of the sample have a domain that could not be looked up in time.',
};

const fileMetrics = (rows: string): FieldWords => ({
  billable: `How many rows are ${rows} and cost credits.`,
  non_billable: 'How many rows cannot be used and cost nothing.',
  duplicated: 'How many rows repeat an earlier row and cost nothing.',
});

const invoiceDetails: FieldWords = {
  company: 'The name of the company.',
  line1: 'The street and the house number.',
  line2: 'What the street needs besides, such as the floor.',
  postal_code: 'The postal code.',
  city: 'The city.',
  state: 'The state or region.',
  country: 'The country as two capital letters (ISO 3166-1), or empty.',
  tax_number: 'The VAT number, or what the country has instead.',
};

const whatHappened: FieldWords = {
  kind: '`hard`: it bounced, the address is dead. `soft`: it bounced for now. `block`: you or your message were refused. `complaint`, `unsubscribed`: the person does not want your mail. `auto_reply`: a vacation answer. `delivered`: it arrived. `not_sent`: your sender did not try. `unclear`: the report does not say.',
  at: 'When it happened.',
  reason: 'Why.',
  'reason.code': 'A stable code.',
  'reason.text': 'A few words for people.',
  words: 'What the mail host or your sender said.',
};

const countsByKind: FieldWords = Object.fromEntries(
  outcomeKindSchema.options.map((kind) => [kind, `How many are \`${kind}\`.`]),
);

const suppression: FieldWords = {
  target: 'An address, or a domain, which means all of its addresses and none of its subdomains.',
  reason:
    '`hard_bounce`, `complaint` and `unsubscribed` are about an address, `dead_domain` about a domain; `added` is any other that you added.',
  end_date: 'From when on it is asked again; null if it stays until it is removed.',
};

const storedSuppression: FieldWords = {
  ...suppression,
  kind: 'Whether it is an address or a domain.',
  source: 'Where it comes from: an outcome of a mail, a person on the page, a program, or a file.',
};

const below = (prefix: string, words: FieldWords): FieldWords =>
  Object.fromEntries(Object.entries(words).map(([field, text]) => [`${prefix}.${field}`, text]));

const detected: FieldWords = {
  'detected.format':
    'How the file was read: `addresses` is no table, but addresses with separators between them.',
  'detected.encoding': 'The encoding of the text.',
  'detected.delimiter': 'The character between the columns.',
  'detected.sheet': 'The sheet of a workbook, or the file of a zip file, that was read.',
  'detected.sheets': 'The sheets or files that can be read.',
  'detected.has_header_row': 'Whether the first row looks like a header.',
  'detected.rows': 'How many rows the table has.',
};

const preview: FieldWords = {
  total_credits: 'The most that the list can cost.',
  metrics: 'How many rows there are of each kind.',
  metrics_with_headers:
    'The same if the list is created with `with_headers` true, which leaves the first row out.',
  metrics_without_headers: 'The same with `with_headers` false.',
  upload_id: 'Send it in place of the file to create the list.',
  detected: 'How the file was read.',
  first_rows: 'The first rows of the table: at most 6 rows, 50 columns and 100 characters of a cell.',
  excluded: 'The first rows that are left out, up to 5 of each reason.',
  'excluded.row': 'The row in the file, from 1, without blank lines.',
  'excluded.reason': 'Why the row is left out.',
  ...detected,
};

const link: FieldWords = {
  id: 'The id of the link.',
  name: 'The name of the file, which says what is inside.',
  expiration_date: 'Until when the link works.',
  last_used_date: 'When the link was last followed, to the minute; null for never.',
};

const eventWords: FieldWords = {
  type: 'The type of the event.',
  timestamp: 'When it happened.',
};

/** The named schemas and their fields. '' is the schema itself; fields of inner objects have dots. */
export const SCHEMA_WORDS: Readonly<Record<SchemaName, FieldWords>> = {
  Activity: {
    '': 'An entry of the activity log.',
    number: 'Counts the entries of the account from 1.',
    date: 'When it happened.',
    kind: 'What happened, such as `api_key.created`; later versions may add others.',
    about: 'What it was done to, for example the name of a list; null if nothing more is to be said.',
    list_id: 'The list that it was done to; it stays when retention removes the name.',
    by: 'Who did it: the signed-in customer, a program with an API key, or Assay by itself.',
    api_key_id: 'The API key that did it; null for a person and for Assay.',
    api_key_name: 'The name of that key at the time; null for the key with all scopes, which has none.',
    address: 'The network address of the caller; null if Assay did it.',
    user_agent: 'What the program of the caller calls itself; null if it does not say.',
  },
  AddressFlag: { '': 'A flag of an address.' },
  AddressFlags: {
    '': 'What is known about an address besides its verdict.',
    ...byFlag((flag) => FLAG_TABLE[flag].description),
  },
  AccountSecurity: {
    '': 'How the account is signed in to.',
    second_factors:
      'What a sign-in by password asks for besides: `authenticator` or `passkey`; empty for nothing, null if the provider does not tell.',
    sessions: 'Sign-ins that have not ended, the last used first; null if the provider does not tell.',
  },
  ApiKey: {
    '': 'The API key with all scopes.',
    id: 'The id of the key.',
    api_token:
      'The secret: in full if it is new or revealed, else its start, `…` and its last four characters.',
    last_used_date: 'When the key was last used, to the minute; null for never.',
  },
  AutomaticTopUp: {
    '': 'The settings of the automatic top-up, and its state.',
    ...topUpOrder,
    spent_this_month_in_cents: 'What automatic purchases of this calendar month (UTC) cost so far.',
    stopped_because: 'Why it turned itself off; null if it did not.',
    paused_until: 'When it goes on, if the cap of this month is used up; null if it is not.',
  },
  AutomaticTopUpOrder: { '': 'The settings of the automatic top-up.', ...topUpOrder },
  BalanceAlerts: {
    '': 'When you are alerted about your balance.',
    thresholds: 'The balances below which you are alerted, once per crossing.',
  },
  BalanceLowEvent: {
    '': 'The balance fell below one of your thresholds.',
    ...eventWords,
    data: 'The balance and the threshold.',
    'data.balance': 'The balance after the crossing.',
    'data.threshold': 'The threshold that it fell below.',
  },
  BounceFinding: {
    '': 'What a bounce says of one recipient.',
    recipient: 'The address that it is about; null if the bounce names nobody.',
    class:
      '`hard`: the address is dead. `soft`: it may work later. `block`: you or your message were refused. `complaint`: the person does not want your mail. `auto_reply`: a vacation answer, no bounce. `not_sent`: your sender did not try. `unclear`: it does not say.',
    subject: 'Whom or what it is about.',
    action:
      'What to do: `suppress` the address, `retry` later, `fix_sender` (your reputation, set-up or message), or `none`.',
    reason: 'Why, with the names of the reasons of verdicts where one fits.',
    rule: 'The rule that decided, by its id.',
    words: 'The words that it rests on.',
  },
  CheckOutcome: {
    '': 'What happened to a mail for an address after its check.',
    ...whatHappened,
  },
  EmailMetrics: {
    '': 'How many addresses have each verdict.',
    valid_emails: 'How many are VALID.',
    invalid_emails: 'How many are INVALID.',
    catch_all_emails: 'How many are CATCH_ALL.',
    unknown_emails: 'How many are UNKNOWN.',
  },
  EmailSummary: {
    '': 'How often each reason, flag and provider occurs in a list so far.',
    reasons: 'The reasons.',
    'reasons.reason': 'The reason.',
    'reasons.status': 'The verdict that it belongs to.',
    'reasons.emails': 'How many addresses have it.',
    flags: 'The flags.',
    'flags.flag': 'The flag.',
    'flags.emails': 'How many addresses have it.',
    mx_providers: 'The most frequent mail providers, at most 50.',
    'mx_providers.mx_provider': 'The provider.',
    'mx_providers.emails': 'How many addresses are there.',
  },
  Error: {
    '': 'Why a call was refused.',
    code: 'A stable code for programs; we add codes, so handle an unknown one by its status.',
    message: 'What happened and what to do, for people.',
    http_status: 'The status of the answer.',
    trace_id: 'Identifies the call in our log; quote it when you ask about it.',
    meta: 'Details, such as the wrong `field` or how many credits are missing (`short_by`).',
  },
  ErrorAnswer: { '': 'The answer of every refused call.', errors: 'The reasons; show the first.' },
  EvidenceStage: {
    '': 'One step of a check.',
    stage: 'What was asked.',
    host: 'The mail host that was asked; null if none was.',
    address: 'The network address that was asked; null if none was.',
    reply: 'What the host answered, without personal data of others; null if nothing.',
    took_ms: 'How long it took, in milliseconds.',
  },
  ExpiredWork: {
    '': 'How much is older than a number of days.',
    lists: 'How many lists are older.',
    list_emails: 'How many addresses are in these lists.',
    singles: 'How many single checks are older.',
    guesses: 'How many guessed people are older, alone and in lists.',
  },
  ExportLink: { '': 'A link to a download that works without a sign-in.', ...link },
  FeatureFlags: {
    '': 'What is turned on for the account.',
    guessing_enabled: 'Whether the calls of guessing are open.',
    can_change_password: 'Whether the password can be changed here.',
  },
  Guess: { '': 'The guess of the address of one person.', ...guess },
  GuessDetail: {
    '': 'A guess with its evidence.',
    ...guess,
    ...traits,
    ...evidence,
    tries: 'The addresses that were tried, in order: the one that decided, and those without a clear answer.',
  },
  GuessEstimate: { '': 'What a sample of a file of people shows.', ...estimate },
  GuessList: {
    '': 'A list of people.',
    ...list,
    total_people: 'How many distinct people the list has.',
    guess_metrics: 'How many people have each outcome so far.',
    excluded_people: 'The rows of the file that are not guessed; null for older lists.',
    'excluded_people.non_billable': 'How many rows have no person that can be guessed.',
    'excluded_people.duplicated': 'How many rows repeat an earlier row.',
  },
  GuessMetrics: {
    '': 'How many people have each outcome.',
    found: 'How many addresses are proved.',
    catch_all: 'How many domains accept every address, so that only the likeliest is known.',
    not_found: 'How many people have no address there.',
    unknown: 'How many could not be decided.',
  },
  GuessOrder: {
    '': 'A person by name, or by a profile that contains the name, and the domain of the company.',
    first_name: 'The first name, in Latin letters.',
    last_name: 'The last name; leave it out for a person with a single name.',
    linkedin_url: 'The URL of a LinkedIn profile, which replaces the names; it is parsed and never fetched.',
    domain: 'The domain of the company, such as acme.com.',
  },
  GuessPreview: {
    '': 'What a file of people contains and would cost.',
    ...preview,
    ...below('metrics', fileMetrics('distinct people')),
    ...below('metrics_with_headers', fileMetrics('distinct people')),
    ...below('metrics_without_headers', fileMetrics('distinct people')),
    'detected.columns': 'The columns that were recognised.',
    'detected.columns.field': 'What the column contains.',
    'detected.columns.column': 'The name of the column, or its number if the first row is a person.',
    'detected.columns.number': 'The number of the column, from 1.',
    'excluded.person': 'The cells that were read.',
  },
  GuessTry: {
    '': 'One address that was tried.',
    email_address: 'The address.',
    pattern: 'The pattern that produced it, such as {first}.{last}.',
    email_address_status: 'Its verdict.',
    reason: 'Why the verdict is what it is.',
  },
  Invoice: {
    '': 'An invoice, or a payment with a receipt.',
    status:
      '`refunded` if any of the money went back; `disputed` while a bank examines the payment, and after it decided for you.',
    refunded_in_cents: 'The money that went back, in US cents.',
    date: 'When it was paid; for an open one, when it was issued.',
    id: 'The id of the invoice or payment.',
    kind: '`plan` for a month of a plan, `pack` for credits that were bought once.',
    code: 'The code of the plan or of the pack.',
    credits: 'What it added; for an open one, what it adds when it is paid.',
    total_in_cents: 'The total, in US cents.',
    paid_in_cents: 'The money that moved, in US cents: less than the total if a balance paid a part.',
    paid_date: 'When it was paid; null for an open one.',
    has_pdf: 'Whether there is a PDF; some payments have a receipt instead.',
  },
  InvoiceDetails: { '': 'What invoices say about you; empty texts are left out of them.', ...invoiceDetails },
  KeyCall: {
    '': 'One call of an API key.',
    date: 'When the call was answered.',
    call: 'The method and the path of the call, with names for its parameters.',
    http_status: 'The status of the answer.',
    took_ms: 'How long the answer took, in milliseconds.',
  },
  KeyUsage: {
    '': 'The credits of an API key per day.',
    results: 'The days in UTC, the oldest first.',
    'results.date': 'The day.',
    'results.credits': 'The credits that the key’s work of that day cost or holds.',
  },
  ListCompletedEvent: { '': 'Every address of a list has its result.', ...eventWords, data: 'The list.' },
  ListEmail: { '': 'An address of a list.', ...listEmail },
  ListEmailDetail: { '': 'An address of a list with its evidence.', ...listEmail, ...evidence },
  ListEstimate: {
    '': 'What a sample of a file’s addresses shows.',
    ...estimate,
    disposable: 'How many of the sample are at domains for addresses that are used once.',
    role: 'How many of the sample belong to functions such as info@.',
    typo: 'How many of the sample have a domain that looks mistyped.',
    questions:
      'What the whole list will probably ask mail hosts, the provider with the most addresses first. It comes from the sample, and from what the checks of your account asked in the last 30 days.',
    'questions.provider':
      'Who runs the mail hosts, such as `Google`; null for all whose limits are not published.',
    'questions.emails': 'How many addresses of the list have their mail there.',
    'questions.questions':
      'How many questions they will probably take, with those that find out whether the answers mean anything.',
    'questions.refusals':
      'How many of the addresses the provider will probably not know; null until your account has asked enough to tell.',
  },
  ListFailedEvent: {
    '': 'The rows of a list could not be copied.',
    ...eventWords,
    data: 'The list. `preparation.problem` says why.',
  },

  ListFileMetrics: {
    '': 'How many rows of a file there are of each kind.',
    ...fileMetrics('distinct, well-formed addresses'),
    no_email: 'How many of `non_billable` have an empty email cell.',
    suppressed: 'How many of `non_billable` have a suppressed address.',
  },
  ListPreview: {
    '': 'What a file contains and would cost.',
    ...preview,
    'detected.email_column':
      'The name of the email column, or its number if the first row contains addresses.',
    'detected.email_column_number': 'The number of the email column, from 1.',
    'detected.email_columns': 'All columns that contain addresses; only `email_column` is verified.',
    'detected.skipped_rows': 'Rows above the table that are left out, such as titles.',
    'detected.broken_quotes': 'Rows with a broken quote, which were read all the same.',
    'detected.broken_quotes.rows': 'How many such rows there are.',
    'detected.broken_quotes.first': 'The numbers of the first of them.',
    name: 'The name that the list gets unless you choose another.',
    'excluded.email': 'What is in the email cell.',
  },
  Mailbox: {
    '': 'A connected mailbox.',
    email: 'The address of the mailbox.',
    provider: 'The provider of the mailbox.',
    status: '`ENDED` if the provider refuses the connection; connecting again repairs it.',
    consent_url: 'Where its owner withdraws consent; null if removing it here does that too.',
  },
  MetricsEntry: {
    '': 'The results of a day or month.',
    date: 'The start of the day or month.',
    validation_list_email_metrics: 'How many addresses have each verdict.',
    'validation_list_email_metrics.valid_emails': 'How many are VALID.',
    'validation_list_email_metrics.invalid_emails': 'How many are INVALID.',
    'validation_list_email_metrics.catch_all_emails': 'How many are CATCH_ALL.',
    'validation_list_email_metrics.unknown_emails': 'How many are UNKNOWN.',
    'validation_list_email_metrics.pending_emails': 'How many have no verdict yet.',
  },
  NewExportLink: {
    '': 'A new link to a download, with its URL.',
    ...link,
    url: 'The URL; only this answer has it, because we keep only a hash.',
  },
  NewSuppression: { '': 'What to suppress.', ...suppression },
  NewScopedKey: { '': 'A further API key to create.', ...key, ...mode },
  PasswordChange: {
    '': 'The old and the new password.',
    current_password: 'The password now.',
    new_password: 'The password from then on.',
  },
  PaymentMethod: {
    '': 'The card that is charged.',
    card: 'The card; null when none is saved.',
    'card.brand': 'The brand of the card.',
    'card.last4': 'The last four digits.',
    'card.expiry_month': 'The month in which it expires, from 1 to 12.',
    'card.expiry_year': 'The year in which it expires.',
  },
  PendingPlanChange: {
    '': 'A scheduled change of plan.',
    kind: '`cancellation` leads to the free plan.',
    plan: 'The plan from that date on.',
    date: 'When it takes effect.',
  },
  Outcome: {
    '': 'What happened to a mail.',
    number: 'Counts your outcomes in the order in which they came.',
    email: 'The address that the mail went to, as it was reported.',
    ...whatHappened,
    action:
      'What to do: `suppress` the address, `retry` later, `fix_sender` (your reputation, set-up or message), or `none`.',
    source: 'Which way it came: by the API, from a file, from a connected mailbox, or from a sender.',
    recorded_date: 'When it came.',
  },
  OutcomeCounts: { '': 'How many outcomes there are of each kind.', ...countsByKind },
  OutcomeFile: {
    '': 'What we make of a file of outcomes.',
    format: 'The kind of file; `mails` for one or many mails that came back.',
    sheet: 'The sheet of a workbook, or the file of a zip file, that was read; absent for others.',
    sheets: 'All that can be read.',
    columns: 'The columns that are read, from 1; null for mails.',
    'columns.email': 'The column with the addresses; null if there is none.',
    'columns.kind': 'The column that says what happened; null if there is none.',
    'columns.at': 'The column that says when; null if there is none.',
    'columns.detail': 'The column with the replies of mail hosts; null if there is none.',
    'columns.id': 'The column with the ids of events; null if there is none.',
    missing: 'What the file does not say; choose a column, or send `kind` or `date`.',
    first_rows: 'The first rows, to choose columns by.',
    total: 'How many rows or mails it has.',
    understood: 'How many outcomes they hold; a mail may hold several.',
    counts: 'How many of them are of each kind.',
    examples: 'The first of them.',
    'examples.place': 'The row or the mail that says it, from 1.',
    'examples.email': 'The address that the mail went to.',
    'examples.kind': 'What happened.',
    'examples.at': 'When it happened.',
    'examples.reason': 'Why.',
    'examples.reason.code': 'A stable code.',
    'examples.reason.text': 'A few words for people.',
    'examples.words': 'What the mail host or your sender said.',
    said_nothing:
      'How many rows and mails hold nothing to keep, such as that a mail was opened, or no report.',
    not_readable: 'How many rows and mails could not be read.',
    problems: 'The first 20 of them.',
    'problems.place': 'The row or the mail, from 1.',
    'problems.problem': 'What is wrong with it.',
  },
  OutcomeMailbox: {
    '': 'A mailbox that receives bounces, which we read by IMAP.',
    id: 'The id of the mailbox.',
    host: 'Its host.',
    user_name: 'The name that signs in.',
    folder: 'The folder that is read.',
    trouble: 'Why it cannot be read; null if it can.',
    last_read_date: 'When it was last read; null before the first time.',
    read_mails: 'How many mails were read.',
    found_outcomes: 'How many outcomes they brought that were new.',
  },
  OwedPayment: {
    '': 'An invoice that could not be collected.',
    invoice_id: 'The id of the invoice.',
    amount_in_cents: 'What is owed, in US cents.',
    plan: 'The plan that it is for; after an upgrade that was not paid, the larger one.',
    until: 'The plan ends if it is not paid by then.',
  },
  Plan: {
    '': 'A plan.',
    code: 'The code of the plan.',
    monthly_credits: 'The credits of a month.',
    monthly_cost_in_cents: 'The price of a month, in US cents.',
  },
  ProfileChanges: {
    '': 'Changes of the profile; fields that you leave out stay unchanged.',
    first_name: 'The first name.',
    last_name: 'The last name.',
    list_mails: 'Whether to mail when a list is complete.',
    balance_mails: 'Whether to mail about a low balance and a stopped top-up.',
    plan_mails: 'Whether to mail about changes of the plan and failed payments.',
    phone: 'The phone number, with its country code.',
  },
  Retention: {
    '': 'How long work is kept.',
    days: 'Lists, single checks and guesses are deleted this many days after their creation; null for never.',
  },
  ScopedKey: { '': 'A further API key.', ...scopedKey },
  ScopedKeyChanges: { '': 'Changes of a key; fields that you leave out stay unchanged.', ...key },
  ScopedKeyWithToken: {
    '': 'A further API key with its new secret.',
    ...scopedKey,
    api_token: 'The secret; only this answer has it, because we keep only a hash.',
  },
  SignInSession: {
    '': 'A sign-in in some browser that has not ended.',
    id: 'The id of the session: the `sid` of its tokens.',
    agent: 'The browser as it calls itself; null if the provider does not tell.',
    address: 'The network that used it last; null if the provider does not tell.',
    start_date: 'When the person signed in.',
    last_used_date: 'When its token was last renewed, which a browser in use does every 15 minutes.',
    is_current: 'Whether it is the session of this call.',
  },
  SingleCheck: { '': 'The check of one address.', ...single },
  SingleCheckCompletedEvent: { '': 'A single check has its verdict.', ...eventWords, data: 'The check.' },
  SingleCheckDetail: { '': 'A single check with its evidence.', ...single, ...traits, ...evidence },
  Spending: {
    '': 'What was spent, and how long the balance lasts.',
    days: 'The last 30 days, oldest first, today among them.',
    'days.date': 'The day, in UTC.',
    'days.credits': 'The credits that were spent.',
    credits_per_day: 'The average of the last 7 days.',
    lasts_until:
      'When the balance is used up at that rate; null if nothing was spent, or if that is years away.',
  },
  Status: {
    '': 'Whether the service works.',
    date: 'When this was found out.',
    parts: 'The parts of the service.',
    'parts.name': 'The part.',
    'parts.state': 'How it works.',
    slow_providers:
      'Mail providers that defer, block or do not answer many questions now, so that checks of addresses there take longer.',
    'slow_providers.provider': 'The provider, such as `Yahoo`.',
    'slow_providers.start_date': 'Since when.',
    incidents: 'When parts did not work in the last 90 days, the newest first.',
    'incidents.id': 'The id of the incident.',
    'incidents.part': 'The part that did not work.',
    'incidents.state': 'The worst that it was.',
    'incidents.start_date': 'When it began.',
    'incidents.end_date': 'When it ended; null while it lasts.',
    'incidents.notes': 'What people wrote about it, the oldest first.',
    'incidents.notes.date': 'When it was written.',
    'incidents.notes.words': 'What was written.',
  },
  Suppression: {
    '': 'An address or a domain that is neither asked nor charged.',
    id: 'The id of the entry.',
    ...storedSuppression,
  },
  SuppressionChange: {
    '': 'The last change of an entry.',
    change: '`removed` for an entry that counts no more, because it was removed or has ended.',
    ...storedSuppression,
    removal_date: 'When it was removed or ended; null for an entry that counts.',
  },
  SuppressionCounts: { '': 'What a call did to your suppressions.', ...suppressionCounts },
  Transaction: {
    '': 'An entry of the credits history.',
    number: 'Counts the entries of the account from 1 without gaps.',
    category: 'What it is about.',
    source: 'Where it came from.',
    description: 'The same in words.',
    amount: 'Credits: positive for those added, negative for those spent or taken back.',
    balance_after:
      'The balance after it, with credits on hold, so that it adds up from one entry to the next.',
    list: 'The list that was paid for; null if none was.',
    'list.id': 'The id of the list.',
    'list.kind': 'Whether it is a list of addresses or of people.',
    'list.name': 'The name of the list; null once it is deleted.',
    checks: 'The single checks that a grouped entry adds up; absent in other entries.',
    'checks.count': 'How many checks they are.',
    'checks.key': 'The API key that started them; null for the web app.',
    'checks.key.id': 'The id of the key.',
    'checks.key.name': 'The name of the key.',
    invoice_id: 'The invoice or payment behind it; null if there is none.',
  },
  User: {
    '': 'The signed-in customer.',
    id: 'The id of the customer.',
    first_name: 'The first name.',
    last_name: 'The last name.',
    email_address: 'The address that the customer signs in with.',
    phone: 'The phone number; null if it is not known.',
    identities: 'How the customer signs in: `email`, or the name of a social provider.',
    feature_flags: 'What is turned on for the account.',
    restriction:
      '`held` while we review the account, `suspended` until our support reopens it; absent otherwise.',
    list_mails: 'Whether we mail when a list is complete; absent where no mail is sent.',
    balance_mails: 'Whether we mail about a low balance and a stopped top-up; absent where no mail is sent.',
    plan_mails:
      'Whether we mail about changes of the plan and failed payments; absent where no mail is sent.',
  },
  ValidationList: {
    '': 'A list of addresses.',
    ...list,
    total_emails:
      'How many distinct, well-formed addresses the list has; 0 while a long file is still counted.',
    email_metrics: 'How many addresses have each verdict so far.',
    validation_email_metrics: 'How much is done.',
    'validation_email_metrics.completed': 'How many addresses have their result.',
    excluded_emails: 'The rows of the file that are not verified and cost nothing; null for older lists.',
    'excluded_emails.non_billable': 'How many rows have no usable address.',
    'excluded_emails.duplicated': 'How many rows repeat an earlier row.',
    'excluded_emails.no_email': 'How many of `non_billable` have an empty email cell.',
    'excluded_emails.suppressed': 'How many of `non_billable` have a suppressed address.',
    safe_emails: 'How many addresses are valid, not disposable and not of a role; null for older lists.',
  },
  Verdict: { '': 'The verdict about an address.' },
  VerdictReason: {
    '': 'The reason of a verdict.',
    code: 'A stable code; we add codes, so handle an unknown one by its verdict.',
    text: 'The same as a sentence for people.',
  },
  Wallet: {
    '': 'The balance and the plan.',
    api_key: 'The API key that asks; absent for a signed-in person.',
    'api_key.name': 'Its name; null for your first key, which may do everything.',
    'api_key.mode': '`test` for a key whose work is for the sandbox.',
    'api_key.scopes': 'What it may do.',
    'api_key.monthly_credit_limit':
      'The credits that it may spend in a calendar month (UTC); null for no limit.',
    'api_key.month_credits':
      'The credits of this calendar month (UTC) that its work cost or holds; null for your first key.',
    balance: 'The credits that you can spend, without those that running work holds.',
    held: 'The credits that running work holds.',
    frozen: 'The credits of payments that the bank disputes; they are in no balance until it has decided.',
    low_balance_threshold:
      'The lowest of your thresholds that the balance is below; null when it is below none.',
    top_up_stopped_because: 'Why the automatic top-up turned itself off; null if it did not.',
    top_up_paused_until:
      'When the automatic top-up goes on, if it has used up its cap of this month; null if it has not.',
    free_credits_withheld: 'Why the account got no free credits; null for one that has them.',
    subscription: 'The plan.',
    'subscription.status': '`past_due` while a failed payment is owed.',
    'subscription.next_renewal_date': 'When the next month of the plan begins.',
    'subscription.plan': 'The plan now.',
    'subscription.owed': 'What is owed while `past_due`; null if nothing is.',
    'subscription.pending_change': 'A scheduled change of plan; null if there is none.',
  },
  Feed: {
    '': 'Where a sender posts what became of mails.',
    id: 'The id of the feed.',
    sender: 'The sender.',
    url: 'The address that the sender posts to.',
    secret:
      'Our secret in full if it is new, else `…` and its last four characters; null while the key of the sender is missing.',
    previous_secret_until: 'Until when the secret or key before is good too; null if none is.',
    topic_arn: 'The SNS topic whose messages count, for Amazon SES; else null.',
    confirmation_date: 'When the subscription of the topic was confirmed; null if it is not.',
    taken_events: 'How many events were taken.',
    last_event_date: 'When the last events came; null if none did.',
    refusals: 'What was refused, the newest reason first.',
    'refusals.reason': 'Why it was refused.',
    'refusals.count': 'How often.',
    'refusals.last_date': 'When it last happened.',
  },
  Webhook: {
    '': 'Where we send events.',
    id: 'The id of the webhook.',
    url: 'The URL that gets the events.',
    event_types: 'The types of events that it gets; null for all, also types that come later.',
    secret: 'The secret that signs events: in full if it is new or revealed, else masked.',
    previous_secret_until: 'Until when a replaced secret still signs beside the new one; null if none does.',
    waiting_events: 'How many events still wait, counted up to 1,000.',
    last_error: 'Why the oldest waiting event was not taken yet; null if nothing fails.',
    last_delivery_date: 'When your receiver last took an event or a test; null if that was never noted.',
  },
  WebhookDelivery: {
    '': 'An event with the state of its delivery.',
    id: 'The id of the delivery.',
    event_id:
      'Sent as `webhook-id`; it stays the same when an event is sent again, and for all your webhooks.',
    event_type: 'The type of the event.',
    status: '`PENDING` while it is tried, `DELIVERED` or `FAILED` at its end.',
    attempts: 'How often it was tried.',
    response_status: 'The last status of your server; null if there was no answer.',
    error: 'What went wrong last, in words; null if nothing did.',
    last_attempt_date: 'When it was last tried; null if it was not yet.',
  },
  WebhookTestEvent: {
    '': 'A test event.',
    ...eventWords,
    data: 'The data of the event.',
    'data.message': 'A sentence.',
  },
};
