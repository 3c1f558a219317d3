interface ErrorRow {
  readonly status:
    | 400
    | 401
    | 402
    | 403
    | 404
    | 405
    | 408
    | 409
    | 410
    | 413
    | 415
    | 422
    | 426
    | 429
    | 500
    | 503;
  /** For people: says what happened and, where they can do something, what to change. */
  readonly text: string;
  /** Only these callers get it, so the guide does not show it to others. */
  readonly onlyFor?: 'guessing' | 'operators' | 'payments' | 'warm-up';
}

/** Every code that the API answers with, its status and its text: the only such table. Codes never change meaning. */
export const errorTable = {
  // The shape of the request.
  bad_request: { status: 400, text: 'The request could not be understood.' },
  invalid_request: { status: 400, text: 'The request is not valid.' },
  malformed_json: { status: 400, text: 'The body is not valid JSON. Send a JSON object.' },
  payload_too_large: {
    status: 413,
    text: 'The request is too large. Send less at once, and long lists as a CSV file.',
  },
  request_too_slow: {
    status: 408,
    text: 'The request arrived too slowly and was given up. Check your connection and send it again.',
  },
  unsupported_media_type: {
    status: 415,
    text: 'This content type is not accepted here. Send application/json.',
  },
  upgrade_required: { status: 426, text: 'This address is a WebSocket. Open it as one.' },
  route_not_found: { status: 404, text: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, text: 'This address does not take that method.' },

  // Who is calling, and how often.
  unauthorized: {
    status: 401,
    text: 'Sign in, or send an API key that is still valid, as x-api-key or as Authorization: Bearer.',
  },
  token_expired: { status: 401, text: 'Your session has ended. Sign in again.' },
  session_ended: { status: 401, text: 'You were signed out. Sign in again.' },
  sign_in_again: {
    status: 403,
    text: 'This needs a sign-in from the last 10 minutes. Sign in again, then repeat it.',
  },
  sessions_not_ended: {
    status: 503,
    text: 'Your other devices could not be signed out yet. Choose "Sign out everywhere" in a minute.',
  },
  session_not_found: { status: 404, text: 'This session has ended already, or it is not yours.' },
  second_factors_unmanaged: {
    status: 409,
    text: 'Second factors are kept by the identity provider. Remove them there.',
  },
  unknown_api_key: { status: 401, text: 'This API key is not known. Send a key that exists.' },
  api_key_not_accepted: {
    status: 403,
    text: 'An API key does not open this call. Sign in and send a bearer token.',
  },
  missing_scope_verify: {
    status: 403,
    text: 'This API key lacks the scope verify. Add it to the key on the account page, or use another key.',
  },
  missing_scope_read_results: {
    status: 403,
    text: 'This API key lacks the scope read_results. Add it to the key on the account page, or use another key.',
  },
  missing_scope_manage_lists: {
    status: 403,
    text: 'This API key lacks the scope manage_lists. Add it to the key on the account page, or use another key.',
  },
  missing_scope_manage_webhooks: {
    status: 403,
    text: 'This API key lacks the scope manage_webhooks. Add it to the key on the account page, or use another key.',
  },
  missing_scope_manage_feeds: {
    status: 403,
    text: 'This API key lacks the scope manage_feeds. Add it to the key on the account page, or use another key.',
  },
  missing_scope_guess: {
    status: 403,
    onlyFor: 'guessing',
    text: 'This API key lacks the scope guess. Add it to the key on the account page, or use another key.',
  },
  missing_scope_suppressions: {
    status: 403,
    text: 'This API key lacks the scope suppressions. Add it to the key on the account page, or use another key.',
  },
  missing_scope_explain_bounces: {
    status: 403,
    text: 'This API key lacks the scope explain_bounces. Add it to the key on the account page, or use another key.',
  },
  missing_scope_report_outcomes: {
    status: 403,
    text: 'This API key lacks the scope report_outcomes. Add it to the key on the account page, or use another key.',
  },
  api_key_expired: {
    status: 401,
    text: 'This API key has expired. Give it a later date, or use another key.',
  },
  api_key_wrong_network: {
    status: 403,
    text: 'This API key may not be used from your network address. Allow it on the account page, or call from elsewhere.',
  },
  test_key_not_accepted: {
    status: 403,
    text: 'A test key cannot start work that costs credits. Use a live key.',
  },
  account_suspended: {
    status: 403,
    text: 'This account is suspended. You can still sign in, read and export. Ask our support how to go on.',
  },
  account_held: {
    status: 403,
    text: 'We are reviewing this account, so nothing new can be started. Your lists are paused until we have finished.',
  },
  account_role: {
    status: 403,
    text: 'Your role in this account does not allow this. Ask an owner or an admin of the account.',
  },
  operator_role: {
    status: 403,
    onlyFor: 'operators',
    text: 'This needs the operator role admin. Ask an operator who has it.',
  },
  operator_standing: {
    status: 409,
    onlyFor: 'operators',
    text: 'This is the account of an operator. Remove the role before you restrict it.',
  },
  operator_restricted: {
    status: 409,
    onlyFor: 'operators',
    text: 'This account is restricted. Set its standing to open before you make it an operator.',
  },
  job_not_found: {
    status: 404,
    onlyFor: 'operators',
    text: 'This job is not there, or no longer there. Reload the page.',
  },
  coupon_exists: {
    status: 409,
    onlyFor: 'operators',
    text: 'A coupon with this code exists. Choose another code.',
  },
  grant_not_found: {
    status: 404,
    onlyFor: 'operators',
    text: 'This entry is no grant of an operator. Choose one that is.',
  },
  grant_spent: {
    status: 409,
    onlyFor: 'operators',
    text: 'All credits of this grant are spent, or were taken back. Nothing changed.',
  },
  incident_not_found: {
    status: 404,
    onlyFor: 'operators',
    text: 'This incident is not there, has ended, or has too many sentences already. Reload the page.',
  },
  customer_not_found: { status: 404, onlyFor: 'operators', text: 'There is no customer with this id.' },
  too_many_api_keys: {
    status: 409,
    text: 'You have 100 further API keys already. Revoke one before you create another.',
  },
  api_key_exists: { status: 409, text: 'You have an API key already. Delete it to make another.' },
  api_key_not_found: { status: 404, text: 'This API key is not there, or no longer there.' },
  webhook_exists: {
    status: 409,
    text: 'You have a webhook with this address already. Change that one, or give another address.',
  },
  too_many_webhooks: {
    status: 409,
    text: 'You have 10 webhooks already. Delete one before you create another.',
  },
  webhook_not_found: { status: 404, text: 'This webhook is not there, or no longer there.' },
  webhook_delivery_not_found: { status: 404, text: 'This delivery is not there, or no longer there.' },
  too_many_feeds: {
    status: 409,
    text: 'You have 20 feeds already. Delete one before you create another.',
  },
  feed_not_found: { status: 404, text: 'This feed is not there, or no longer there.' },
  feed_secret_of_sender: {
    status: 409,
    text: 'The sender of this feed signs with a key of its own. Replace it there, then give it here.',
  },
  feed_not_genuine: { status: 401, text: 'The signature or the secret is missing or wrong.' },
  feed_not_readable: { status: 400, text: 'This is no event of the sender of this feed.' },
  webhook_url_not_allowed: { status: 400, text: 'Events cannot be sent to this address. Give another one.' },
  password_not_changeable: {
    status: 403,
    text: 'Your password cannot be changed here. Change it where you sign in.',
  },
  current_password_wrong: { status: 400, text: 'This is not your current password.' },
  new_password_refused: { status: 400, text: 'This password is not accepted. Choose another one.' },
  password_reset_pending: {
    status: 409,
    text: 'You will be asked for a new password on next login. Sign out and in to choose it.',
  },
  origin_not_allowed: {
    status: 403,
    text: 'This page may not open the channel. Open it from the product itself.',
  },
  too_many_requests: { status: 429, text: 'Too many requests. Wait a moment and try again.' },
  not_found: { status: 404, text: 'This content is not there, or no longer there.' },

  // Our own trouble.
  internal_error: { status: 500, text: 'Something went wrong on our side. Please try again in a minute.' },
  service_unavailable: {
    status: 503,
    text: 'The service cannot answer right now. Please try again in a minute.',
  },
  database_unavailable: {
    status: 503,
    text: 'Our database does not answer right now. Please try again in a few seconds.',
  },
  storage_full: {
    status: 503,
    text: 'There is no room for your file on our side right now. Please try again in a few minutes.',
  },

  // Files and lists.
  file_missing: { status: 400, text: 'No file was sent. Send a CSV file as list_raw.' },
  broken_form: {
    status: 400,
    text: 'The form with the file is broken or incomplete. Send it again as multipart/form-data.',
  },
  file_empty: { status: 400, text: 'The file is empty. Choose a CSV file with email addresses.' },
  file_not_text: {
    status: 400,
    text: 'We cannot read this kind of file. Save it as .xlsx or CSV, and try again.',
  },
  file_workbook_broken: {
    status: 400,
    text: 'This workbook or zip file is damaged. Save it again, or as CSV, and try again.',
  },
  file_workbook_password: {
    status: 400,
    text: 'This workbook or zip file has a password. Save it without one, or as CSV, and try again.',
  },
  file_workbook_too_large: {
    status: 413,
    text: 'This workbook or zip file holds more than we can read. Save the sheet with the addresses as CSV and try again.',
  },
  file_sheet_not_found: {
    status: 400,
    text: 'The file has no sheet or file with this name. Choose another.',
  },
  file_column_not_found: { status: 400, text: 'The file has no column with this number. Choose another.' },
  file_too_large: { status: 413, text: 'The file is too large. Split it into smaller files.' },
  file_too_many_rows: { status: 413, text: 'The file has too many rows. Split it into smaller files.' },
  file_no_email_column: {
    status: 400,
    text: 'No column with email addresses was found. Check the file, or give the column the name "email".',
  },
  file_no_addresses: {
    status: 400,
    text: 'The file has no address that can be verified. Check its addresses and try again.',
  },
  file_too_complex: {
    status: 422,
    text: 'Reading this file takes more time or memory than its size allows. Save it again as plain CSV, or split it, and try again.',
  },
  file_too_many_columns: {
    status: 422,
    text: 'The file has a row with too many columns. Leave columns out and try again.',
  },
  file_row_too_long: { status: 422, text: 'The file has a row that is too long. Shorten it and try again.' },
  file_broken_quoting: { status: 400, text: 'The quoting of the file is broken. Mend it and try again.' },
  outcome_mailbox_not_found: { status: 404, text: 'This mailbox is not there, or no longer there.' },
  outcome_mailbox_not_open: {
    status: 422,
    text: 'The mailbox could not be opened. Check host, user name, password and folder.',
  },
  too_many_outcome_mailboxes: {
    status: 409,
    text: 'You have 5 mailboxes already. Disconnect one before you connect another.',
  },
  outcome_file_unclear: {
    status: 422,
    text: 'The file does not say to whom, what or when. Choose the columns, or what they have in common, and try again.',
  },
  upload_not_found: {
    status: 404,
    text: 'This upload is not there, or no longer there. Send the file again.',
  },
  uploads_full: {
    status: 413,
    text: 'Your files of the last 24 hours use all the space for them, also those that are verified. Each file is removed 24 hours after you sent it. Try again then.',
  },
  list_not_found: { status: 404, text: 'This list is not there, or no longer there.' },
  too_many_links: {
    status: 409,
    text: 'This list has 20 links already. Revoke one before you make another.',
  },
  list_too_wide: {
    status: 400,
    text: 'This list has more columns than a spreadsheet can have. Download it as CSV.',
  },
  list_without_flags: {
    status: 409,
    text: 'This list was verified before flags were stored, so we cannot say which emails are safe to send to. Verify it again.',
  },
  too_many_to_sort: {
    status: 400,
    text: 'More than 10,000 emails match, which are too many to sort. Filter or search first, or leave sort out.',
  },
  list_complete: {
    status: 409,
    text: 'This list is already complete, so it cannot be paused. Download its results.',
  },
  list_paused: {
    status: 409,
    onlyFor: 'operators',
    text: 'This list is paused, so it cannot be restarted. Its customer can resume it; a list that was paused with its account goes on when the account is open again.',
  },
  list_finishing: {
    status: 409,
    text: 'This list is being finished, which cannot be undone. Wait until it is complete, then re-verify its unknown rows.',
  },
  list_not_complete: {
    status: 409,
    text: 'This list is still being processed. Wait until it is complete, or finish it, then re-verify its unknown rows.',
  },
  list_preparing: {
    status: 409,
    text: 'The rows of this list are still being copied, so there is nothing to finish. Delete the list to cancel it.',
  },
  list_without_rows: {
    status: 409,
    text: 'The rows of this list are still being copied. Try again when its run_state is no longer preparing.',
  },
  list_failed: {
    status: 409,
    text: 'The rows of this list could not be copied, and nothing was charged. Delete the list and send the file again.',
  },
  list_not_prepared: {
    status: 409,
    text: 'The rows of this file could not be copied. Send the file again.',
  },
  list_file_gone: { status: 404, text: 'The file of this list is no longer there. Send the file again.' },
  list_source_deleted: {
    status: 404,
    text: 'The list whose unknown rows should be verified again was deleted.',
  },
  list_nothing_unknown: {
    status: 409,
    text: 'This list has no unknown rows, so there is nothing to re-verify.',
  },
  email_not_valid: { status: 400, text: 'Enter a valid email' },
  export_expired: { status: 410, text: 'This link has expired. Ask for the download again.' },
  verification_unavailable: {
    status: 409,
    text: 'Mail hosts cannot be reached from here right now, so nothing was started or charged. Try again later.',
  },
  sandbox_unavailable: {
    status: 400,
    text: 'There is no sandbox here. Use a live key and leave sandbox out to verify for real.',
  },
  sandbox_address: {
    status: 400,
    text: 'The sandbox knows only addresses that end in .test, such as jane@exists.test. Use one, or verify for real with a live key and without sandbox.',
  },
  sandbox_upload_mismatch: {
    status: 409,
    text: 'Send sandbox for the list just as for its preview, or preview the file again.',
  },
  invalid_idempotency_key: {
    status: 400,
    text: 'An Idempotency-Key is 1 to 255 visible ASCII characters. Send one, or none.',
  },
  idempotency_key_reused: {
    status: 409,
    text: 'This Idempotency-Key was used for another request. Use a new key for a new request.',
  },

  bounce_not_readable: {
    status: 400,
    text: 'This is no mail, no reply of a mail host and no event that we know. Send the mail with all its headers, a reply with its three digits first, or an event as your sender posts it.',
  },

  // Suppressions.
  file_all_suppressed: {
    status: 400,
    text: 'All addresses are suppressed. Remove them from your suppressions, or send ignore_suppression to ask anyway.',
  },
  suppression_not_found: {
    status: 404,
    text: 'This address or domain is not suppressed.',
  },
  suppression_not_readable: {
    status: 400,
    text: 'Some entries are neither an address nor a domain. Correct them and send all again.',
  },
  suppressions_full: {
    status: 409,
    text: 'You have too many suppressions. Remove some, then try again.',
  },
  suppression_cursor_expired: {
    status: 410,
    text: 'This cursor is too old, or from before a restore. Begin again without a cursor.',
  },

  // Guessing.
  guess_name_required: {
    status: 400,
    onlyFor: 'guessing',
    text: 'Say who it is: a first name, or the address of a LinkedIn profile that holds the name.',
  },
  guess_name_not_latin: {
    status: 400,
    onlyFor: 'guessing',
    text: 'Write the name in Latin letters, as it would stand in an email address.',
  },
  guess_domain_not_company: {
    status: 400,
    onlyFor: 'guessing',
    text: 'Nothing is guessed at this domain: anyone can have a mailbox there. Enter the domain of a company.',
  },
  guess_domain_limit: {
    status: 429,
    onlyFor: 'guessing',
    text: 'As many people were guessed at this domain as one day allows. Try again tomorrow.',
  },
  guess_file_no_people: {
    status: 400,
    onlyFor: 'guessing',
    text: 'The file has no person that can be guessed. Give it columns for the name (or the LinkedIn profile) and the company domain.',
  },

  // Credits.
  insufficient_credits: {
    status: 402,
    text: 'Your balance does not cover this. Buy credits, then try again.',
  },
  api_key_limit_reached: {
    status: 402,
    text: 'The monthly credit limit of this API key does not cover this. Raise the limit, or wait for the next month.',
  },
  coupon_not_found: {
    status: 404,
    text: 'There is no coupon with this code. Check that you typed all of it.',
  },
  coupon_already_used: {
    status: 409,
    text: 'You have already redeemed this coupon. Each coupon can be redeemed once.',
  },
  coupon_invalid: {
    status: 410,
    text: 'This coupon can no longer be redeemed. Ask for another one where you got it.',
  },
  plan_change_took_effect: {
    status: 409,
    text: 'The change has already taken effect, so it cannot be undone. Reload the page and choose a plan again.',
  },
  invoice_not_found: { status: 404, text: 'This invoice is not there.' },
  tax_number_invalid: {
    status: 400,
    text: 'This is not a tax number of the chosen country. Check the number and the country.',
  },
  card_missing: {
    status: 409,
    text: 'No card is saved to pay with. Add a card beside the settings of the automatic top-up, then turn it on.',
  },
  credits_not_withheld: {
    status: 409,
    text: 'No free credits of this customer are withheld. To give them more, grant credits.',
  },
  card_declined_recently: {
    status: 409,
    text: 'The bank declined this card less than an hour ago. Change the card beside the settings of the automatic top-up, or try again in an hour.',
  },
  top_up_cap_too_low: {
    status: 400,
    text: 'The monthly cap is below the price of the pack. Raise the cap or choose a smaller pack.',
  },
  checkout_not_found: {
    status: 404,
    text: 'This checkout is not there. Open the billing page to see what you have bought.',
  },
  payments_unavailable: {
    status: 503,
    text: 'Payments cannot be reached right now. Nothing was charged; please try again in a minute.',
  },
  webhook_malformed: {
    status: 400,
    onlyFor: 'payments',
    text: 'The body is not an event. Send one as Stripe does.',
  },
  webhook_not_genuine: {
    status: 400,
    onlyFor: 'payments',
    text: 'The signature is missing, wrong or too old.',
  },

  // Mailboxes for warm-up.
  mailbox_provider_missing: {
    status: 503,
    onlyFor: 'warm-up',
    text: 'Accounts of this provider cannot be connected here. Ask us to set it up.',
  },
  mailbox_provider_unavailable: {
    status: 503,
    onlyFor: 'warm-up',
    text: 'The mailbox provider cannot be reached right now. Please try again in a minute.',
  },
  mailbox_state_invalid: {
    status: 400,
    onlyFor: 'warm-up',
    text: 'This connection was not started by you, or is finished already. Connect the account again.',
  },
  mailbox_state_expired: {
    status: 400,
    onlyFor: 'warm-up',
    text: 'The connection was not finished in time. Connect the account again.',
  },
  mailbox_code_refused: {
    status: 400,
    onlyFor: 'warm-up',
    text: 'The mailbox provider no longer accepts this connection. Connect the account again.',
  },
  mailbox_access_incomplete: {
    status: 400,
    onlyFor: 'warm-up',
    text: 'Not all of the access was allowed. Connect the account again and allow everything that is asked for.',
  },
  mailbox_limit_reached: {
    status: 409,
    onlyFor: 'warm-up',
    text: 'You have connected as many accounts as possible. Remove one to connect another.',
  },
  mailbox_not_found: {
    status: 404,
    onlyFor: 'warm-up',
    text: 'This account is not connected, or no longer connected.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;
