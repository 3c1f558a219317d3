import { type FieldWords, suppressionCounts } from './shared-fields.ts';

const file: FieldWords = {
  sheet: 'The sheet of a workbook to read, or the file of a zip file; it comes before the file in the form.',
  list_raw: 'The file.',
  file: 'The same as `list_raw`.',
};
const emailColumn: FieldWords = {
  email_column:
    'The column with the addresses, from 1, in place of the detected one; it comes before the file in the form.',
};
const outcomeFileForm: FieldWords = {
  sheet: 'The sheet of a workbook to read, or the file of a zip file; it comes before the file in the form.',
  list_raw: 'The file: a table or mails, at most 10 MB.',
  file: 'The same as `list_raw`.',
  email_column:
    'The column with the addresses, from 1; 0 for none. It comes before the file in the form, like the next ones.',
  kind_column: 'The column that says what happened, from 1; 0 for none.',
  at_column: 'The column that says when, from 1; 0 for none.',
  detail_column: 'The column with the replies of mail hosts, from 1; 0 for none.',
  id_column: 'The column with the ids of events, from 1; 0 for none.',
  kind: 'What happened, for rows that do not say it.',
  date: 'The day on which it happened, for rows that do not say it.',
};
const withHeaders: FieldWords = { with_headers: 'Whether the first row is a header, which is left out.' };
const ignoreSuppression: FieldWords = {
  ignore_suppression: '`true` asks suppressed addresses too, which then cost what others cost.',
};
const listName: FieldWords = { name: 'The name of the list: 2 to 20 characters.' };

/** Fields of bodies and answers that are not named schemas, by call. */
export const CALL_FIELD_WORDS: Readonly<Record<string, FieldWords>> = {
  'bounces.explain': {
    reply: 'A reply of a mail host, with its three digits first.',
    mail: 'A mail that came back, with all its headers.',
    event: 'An event of your sender, or several, as it posts them.',
    results: 'One entry for each recipient, at most 100 of a mail.',
  },
  'outcomeMailboxes.listMailboxes': { results: 'The mailboxes, oldest first.' },
  'outcomeMailboxes.connectMailbox': {
    host: 'The name of the host, which answers on port 993.',
    user_name: 'The name to sign in with, often the address.',
    password: 'The password, which we encrypt; many providers want one for apps.',
    folder: 'The folder to read; `INBOX` if absent.',
  },
  'outcomeMailboxes.updateMailbox': { password: 'The new password.' },
  'outcomes.listOutcomes': { counts: 'How many outcomes there are of each kind, whatever the filters.' },
  'outcomes.previewFile': outcomeFileForm,
  'outcomes.importFile': {
    ...outcomeFileForm,
    recorded: 'How many are kept now that were not before.',
    repeated: 'How many were kept already.',
    file: 'What we made of the file.',
  },
  'outcomes.report': {
    outcomes: 'What happened, at most 10,000 entries.',
    'outcomes.email': 'The address that the mail went to.',
    'outcomes.kind':
      'What happened: `delivered`; `bounce`, or `hard`, `soft` or `block` if you know; `complaint`, `unsubscribed`, `auto_reply`, or `not_sent` if your sender did not try.',
    'outcomes.at': 'When it happened.',
    'outcomes.detail': 'The reply of the mail host; it counts more than the kind.',
    'outcomes.id': 'The id of the event at your sender, different for each event.',
    list_id: 'The list that the mail went to; without it, all your checks count.',
    recorded: 'How many are kept now that were not before.',
    repeated: 'How many were kept already.',
  },
  'billing.redeemCoupon': {
    coupon: 'The coupon.',
    'coupon.amount_of_credits': 'The credits that were added.',
  },
  'billing.openCustomerPortal': { portal_url: 'The URL to open in a browser; it expires.' },
  'billing.buyPack': {
    pack: 'The code of the pack to buy.',
    checkout_url: 'The URL of the payment page; it expires.',
  },
  'billing.confirmPack': {
    is_paid: 'Whether the checkout was paid.',
    credits: 'The credits that it bought.',
  },
  'billing.openInvoice': {
    invoice_url: 'The URL of the document; it expires.',
    pdf_url: 'The URL of its PDF; null for a receipt.',
  },
  'guessing.renameList': listName,
  'guessing.previewList': {
    ...file,
    first_name_column: 'The column with first names, from 1.',
    last_name_column: 'The column with last names, from 1.',
    full_name_column: 'The column with full names, from 1.',
    linkedin_url_column: 'The column with LinkedIn profiles, from 1.',
    domain_column:
      'The column with company domains, from 1; if you choose columns, those that you leave out are not read.',
    upload_id: 'Reads the file of an earlier preview again, in place of a file.',
  },
  'guessing.createList': { upload_id: 'The file of an earlier preview.', ...withHeaders, ...listName },
  'records.setRetention': { days: 'The number of days; null keeps everything.' },
  'support.openCase': {
    subject: 'What it is about.',
    description: 'What you want to know or need.',
    phone: 'The number to call; it is also saved in a profile without one.',
    id: 'The id of the request.',
  },
  'users.listApiKeys': { results: 'The key, or nothing.' },
  'users.listScopedKeys': { results: 'The keys, the newest first.' },
  'users.rollScopedKey': { overlap_hours: 'How many hours the old secret stays valid.' },
  'validations.startSingle': {
    ...ignoreSuppression,
    email_address: 'The address to check.',
    email: 'The same as `email_address`.',
  },
  'validations.createListFromEmails': {
    ...listName,
    ...ignoreSuppression,
    emails: 'The addresses to verify.',
  },
  'validations.getMetrics': { results: 'The days or months, oldest first.' },
  'validations.renameList': { id: 'The id of the list; the path decides.', ...listName },
  'validations.listEmails': {
    total_is_exact: 'False if there are more than `total`: searches and filters are counted up to 10,000.',
  },
  'validations.previewList': {
    ...ignoreSuppression,
    ...file,
    ...emailColumn,
    upload_id: 'Reads the file of an earlier preview again, in place of a file.',
    with_headers:
      'Accepted so that one form works for both calls; the preview counts the first row either way.',
  },
  'validations.createList': {
    ...ignoreSuppression,
    ...file,
    ...emailColumn,
    upload_id: 'The file of an earlier preview, in place of a file.',
    ...withHeaders,
    ...listName,
  },
  'validations.createExportLink': {
    status: 'Keeps only addresses with one of these verdicts; all if absent.',
    safe: '`true` keeps only addresses that are safe to send to: valid, not disposable, not of a role.',
    format: 'The kind of file; `csv` if absent.',
    rows: '`distinct`, the default, has one row for each result; `all` has every row of your file.',
    formulas:
      'What to do with cells that a spreadsheet would run as formulas: `neutralised` by default, or `raw`.',
    days: 'How many days the link works.',
    search: 'Keeps only addresses with this text.',
    reason: 'Keeps only addresses with one of these reasons.',
    flag: 'Keeps only addresses with one of these flags.',
    mx_provider: 'Keeps only addresses at one of these providers.',
    column: 'Keeps only these columns of your file, by number from 1, or 0 for none; all if absent.',
    result_column: 'Adds only these columns with results; all if absent.',
  },
  'suppressions.addSuppressions': { entries: 'What to suppress, at most 1,000.' },
  'suppressions.importSuppressions': {
    list_raw: 'The CSV file, at most 10 MB.',
    file: 'The same as `list_raw`.',
    ...suppressionCounts,
    not_readable: 'How many rows could not be read.',
    problems: 'The first 20 of them.',
    'problems.row': 'The row of the file, from 1.',
    'problems.target': 'What the row has.',
    'problems.problem': 'What is wrong with it.',
  },
  'suppressions.listSuppressionChanges': {
    cursor: 'For the next call.',
    has_more: 'Whether there are more changes already.',
    results: 'The changes, oldest first.',
  },
  'validations.getListColumns': {
    columns: 'The headers of the columns of your file, at most 200; empty for columns without one.',
    email_column: 'The number of the email column, from 1; null for older lists.',
  },
  'validations.listExportLinks': { results: 'The links that still work.' },
  'warmUp.authorize': { authorizationUrl: 'The URL to open in a browser.' },
  'warmUp.finishAuthorization': {
    code: 'The code that the provider sent the person back with.',
    state: 'The state that the provider sent the person back with.',
  },
  'warmUp.listCredentials': { credentials: 'The connected mailboxes.' },
  'feeds.listFeeds': { results: 'The feeds, oldest first.' },
  'feeds.createFeed': {
    sender: 'The sender whose events come.',
    key: 'The key with which the sender signs; absent if you do not have it yet, or if the sender signs nothing.',
    topic_arn: 'The ARN of the SNS topic, for Amazon SES only.',
  },
  'feeds.updateFeed': {
    key: 'The key with which the sender signs from now on.',
    topic_arn: 'The ARN of the SNS topic whose messages count from now on.',
  },
  'webhooks.listWebhooks': { results: 'The webhooks, oldest first.' },
  'webhooks.createWebhook': {
    url: 'The https URL that gets the events.',
    event_types: 'The types of events to send; null or absent for all, also types that come later.',
  },
  'webhooks.updateWebhook': {
    url: 'The https URL that gets the events from then on; absent for no change.',
    event_types: 'The types of events from then on; null for all, absent for no change.',
  },
};
