/** What each call does, in one sentence beyond its summary. The OpenAPI document and the reference show it. */
export const OPERATION_WORDS: Readonly<Record<string, string>> = {
  'activity.listActivities':
    'Pages through the activity log of your account, which holds sign-ins, keys, exports, payments and deletions of the last year.',
  'activity.exportActivities':
    'The link works for an hour and needs no credentials, so pass it on with care.',

  'billing.getWallet':
    'Every API key may make this call, so a program can check the balance before it starts work.',
  'billing.listTransactions': 'Each entry says what changed the balance and what the balance was after it.',
  'billing.exportTransactions':
    'The link works for an hour and needs no credentials, so pass it on with care.',
  'billing.getSpending': 'The days are those of UTC, and the rate is the average of the last 7 days.',
  'billing.getInvoiceDetails': 'All texts are empty if you have never set them.',
  'billing.setInvoiceDetails': 'Replaces all details; invoices that are already written stay as they are.',
  'billing.listInvoices': 'Holds plans and credit packs; `billing.openInvoice` gives the document itself.',
  'billing.getBalanceAlerts': 'An empty list means that you are not alerted.',
  'billing.setBalanceAlerts':
    'Replaces all thresholds; you are alerted once each time the balance falls below one of them.',
  'billing.redeemCoupon': 'The credits are added at once, and each coupon can be redeemed once per account.',
  'billing.openCustomerPortal': 'Open the URL in a browser; it belongs to our payment provider and expires.',
  'billing.keepPlan': 'Answers 409 if the change has already taken effect.',
  'billing.buyPack': 'Open the URL in a browser; the credits are added when the payment has arrived.',
  'billing.confirmPack':
    'Call it when the customer returns from the payment page; repeating it adds nothing twice.',
  'billing.getAutomaticTopUp': 'Answers the default settings, turned off, if you have never set them.',
  'billing.setAutomaticTopUp': 'Replaces all settings, and clears the reason why it stopped.',
  'billing.getPaymentMethod': 'Add or change the card on the page of `billing.openCustomerPortal`.',
  'billing.openInvoice': 'Ask for it when somebody wants to see the document, and do not store the URL.',

  'bounces.explain':
    'Costs nothing and sends nothing. A mail may also be the whole body, with the content type `message/rfc822` or `text/plain`, and an event as your sender posts it, with `application/json`. Answers 400 `bounce_not_readable` for anything else.',

  'outcomeMailboxes.listMailboxes':
    'Shows how far each was read and why one cannot be, and never a password.',
  'outcomeMailboxes.connectMailbox':
    'Opens the folder once before it answers, and 422 `outcome_mailbox_not_open` says why it could not. We read every few minutes and change nothing in the mailbox. Mails that are no reports are not kept.',
  'outcomeMailboxes.updateMailbox': 'The folder is opened once with the new password before it is kept.',
  'outcomeMailboxes.deleteMailbox': 'The mailbox itself is not touched.',

  'outcomes.listOutcomes':
    'Holds what came by any way: calls, files, mailboxes and feeds. An event that came several times is there once.',
  'outcomes.previewFile':
    'Takes a CSV file, a workbook, a mail (`.eml`), an mbox, or a zip file with some of them: at most 10 MB and 100,000 rows or mails. Columns are found by their names and values; choose others by number.',
  'outcomes.importFile':
    'Send the same form as for the preview. Rows and mails that cannot be read are counted and left out. Send a file as often as you like: each event is kept once, whatever way it comes. Answers 422 `outcome_file_unclear` if the file does not say who, what or when.',
  'outcomes.report':
    'Keeps all of them or, if one is wrong, none. Report as often as you like: each is kept once, whatever way it comes. Each is shown at the newest check of its address before it, at most 180 days older.',

  'guessing.listGuesses': 'Holds guesses of single people; people of lists are in `guessing.listPeople`.',
  'guessing.getGuess': 'Shows what the mail host answered about the address that was charged.',
  'guessing.startGuess': 'Answers at once; read the guess again until its status is COMPLETE.',
  'guessing.listLists': 'Holds lists of people only; lists of addresses are in `validations.listLists`.',
  'guessing.listPeople': 'People without a result yet have no outcome and are left out by a filter.',
  'guessing.renameList': 'The name is in exports and mails from then on.',
  'guessing.getList': 'Read it again to follow the progress of a running list.',
  'guessing.deleteList':
    'Removes the people, the results and the links to downloads; what was charged stays charged.',
  'guessing.pauseList': 'Checks that have already begun still end.',
  'guessing.resumeList': 'The list goes on where it stopped, and costs nothing more than before.',
  'guessing.finishList': 'Cannot be undone; `guessing.reverifyList` tries the unknown people again.',
  'guessing.reverifyList': 'The new list has a price of its own, and the first list stays as it is.',
  'guessing.previewList':
    'Costs nothing and starts nothing; the answer has the `upload_id` that creates the list.',
  'guessing.estimateList': 'Looks up the domains of a sample in DNS.',
  'guessing.exportExclusions':
    'The link works for an hour and needs no credentials, so pass it on with care.',
  'guessing.createList':
    'Holds one credit for each person and gives back those of people who end as UNKNOWN.',
  'guessing.exportList': 'The link works for an hour and needs no credentials, so pass it on with care.',

  'records.getRetention':
    'Balance, credits history and activity log have rules of their own and are not deleted by it.',
  'records.previewRetention': 'Counts what the next nightly run would delete.',
  'records.setRetention': 'Older work is deleted in the following night and cannot be restored.',
  'records.exportData': 'The link works for an hour and needs no credentials, so pass it on with care.',

  'status.getStatus': 'Needs no credentials, and says nothing about single customers.',
  'support.openCase': 'We answer by mail or call the number that you give.',

  'users.getMe': 'Needs the bearer token of a person; a program reads its balance with `billing.getWallet`.',
  'users.updateMe': 'Fields that you leave out stay unchanged.',
  'users.deleteMe': 'Ends the subscription, deletes lists, results, keys and webhooks, and cannot be undone.',
  'users.resetPassword': 'Works only for accounts that sign in with a password here.',
  'users.changePassword': 'Works only for accounts that sign in with a password here.',
  'users.endOtherSessions': 'Your own session goes on when you have renewed its token.',
  'users.endSession': 'Call it when a person signs out.',
  'users.getSecurity': 'Second factors are added and removed on the pages of the identity provider.',
  'users.endSessionById': 'The browser that holds it is signed out at its next call.',
  'users.listApiKeys': 'Holds the one key with all scopes; further keys are in `users.listScopedKeys`.',
  'users.createApiKey': 'The key has all scopes and no limits, so prefer further keys for programs.',
  'users.deleteApiKey': 'Further keys stay as they are.',
  'users.listKeyCalls':
    'Holds the last 1,000 calls of a key of either kind; a call appears after a second or two.',
  'users.listScopedKeys': 'Shows scopes, limits and use, and never a secret.',
  'users.createScopedKey': 'Store the secret at once, because we keep only a hash of it.',
  'users.updateScopedKey': 'Fields that you leave out stay unchanged; the mode of a key never changes.',
  'users.rollScopedKey': 'Rolling again ends an overlap that still runs.',
  'users.revokeScopedKey': 'Work that the key has started goes on.',
  'users.getScopedKeyUsage': 'Days without work are there with 0 credits.',

  'validations.listSingles': 'Holds single checks only; addresses of lists are in `validations.listEmails`.',
  'validations.getSingle': 'Answers 200 also while the check runs; its `status` says whether it is complete.',
  'validations.deleteSingle': 'A complete check stays charged.',
  'validations.exportSingles':
    'The link works for an hour and needs no credentials, so pass it on with care.',
  'validations.startSingle': 'Costs 1 credit, which comes back if the verdict is UNKNOWN.',
  'validations.listLists':
    'Holds lists of addresses of your account, also those that were uploaded in the web app.',
  'validations.createListFromEmails':
    'Costs 1 credit for each distinct, well-formed address; credits of UNKNOWN results come back.',
  'validations.getMetrics': 'Work of the sandbox is not counted.',
  'validations.renameList': 'The name is in exports and mails from then on.',
  'validations.getList': 'Read it again to follow the progress of a running list, or use a webhook.',
  'validations.deleteList':
    'Removes the addresses, the results and the links to downloads; what was charged stays charged.',
  'validations.pauseList': 'Checks that have already begun still end.',
  'validations.resumeList': 'The list goes on where it stopped, and costs nothing more than before.',
  'validations.finishList': 'Cannot be undone; `validations.reverifyList` tries the unknown addresses again.',
  'validations.reverifyList': 'The new list has a price of its own, and the first list stays as it is.',
  'validations.listEmails': 'A running list shows the results that it has so far.',
  'validations.summariseEmails': 'Use it to offer filters with their counts.',
  'validations.getListEmail': 'The evidence says what each host answered to each question.',
  'validations.previewList':
    'Costs nothing and starts nothing; the answer has the `upload_id` that creates the list.',
  'validations.estimateList': 'Looks up the domains of a sample in DNS.',
  'validations.exportExclusions':
    'The link works for an hour and needs no credentials, so pass it on with care.',
  'validations.createList':
    'Costs 1 credit for each distinct, well-formed address; credits of UNKNOWN results come back. A file above 2 MB is counted after the answer, and its list fails if the balance does not cover it.',
  'validations.exportList': 'The link works for an hour and needs no credentials, so pass it on with care.',
  'validations.getListColumns': 'Their numbers choose the columns of an export.',
  'validations.createExportLink': 'Only this answer has the URL, because we keep only a hash of it.',
  'validations.listExportLinks': 'Shows when each link was last followed, and never its URL.',
  'validations.revokeExportLink': 'Downloads that have already begun still end.',

  'suppressions.listSuppressions':
    'Holds the entries that count now; `suppressions.listSuppressionChanges` also tells of those that were removed.',
  'suppressions.addSuppressions':
    'Takes up to 1,000 entries, all or none. An entry that exists keeps its reason and date and gets the end that you send.',
  'suppressions.removeSuppression': 'Outcomes from before the removal do not bring the entry back.',
  'suppressions.importSuppressions':
    'Takes up to 100,000 rows with a column `target`, `email` or `domain`, or else the first one, and `reason` and `end_date` if the file has them. Rows that cannot be read are counted and left out.',
  'suppressions.exportSuppressions':
    'The link works for an hour and needs no credentials, so pass it on with care.',
  'suppressions.listSuppressionChanges':
    'Begin without a cursor, which answers everything, and send the cursor of each answer with the next call. A target occurs once, with its last change. Answers 410 `suppression_cursor_expired` for a cursor that is 179 days old or from before a restore: begin again without one.',

  'warmUp.authorize':
    'Open the URL in a browser; the provider sends the person back with a code and a state.',
  'warmUp.finishAuthorization': 'Each state works once and for a few minutes.',
  'warmUp.listCredentials': 'Shows whether the provider still accepts each connection, and never a token.',
  'warmUp.removeCredential': 'Removes the mailbox of every provider that has this address.',
  'warmUp.removeProviderCredential': 'Mailboxes of the other provider stay connected.',
  'warmUp.removeAllCredentials': 'Answers 204 also if none is connected.',

  'feeds.listFeeds': 'Shows when the last events came, and what was refused and why.',
  'feeds.createFeed':
    'SendGrid, Mailgun, Resend and Mandrill sign with a key of theirs; the others get our secret.',
  'feeds.updateFeed': 'The key before is good for another day.',
  'feeds.rotateFeedSecret': 'The new secret is in this answer only.',
  'feeds.deleteFeed': 'Further events of the sender are refused.',
  'webhooks.listWebhooks': 'A key never sees a secret here: it gets one only in the answer that creates it.',
  'webhooks.createWebhook': 'Store the secret to check the signatures of events.',
  'webhooks.updateWebhook':
    'The secret stays the same. Events that already wait are still sent, whatever their type.',
  'webhooks.deleteWebhook': 'Your other webhooks are not affected.',
  'webhooks.rotateSecret':
    'Events carry both signatures for that day, so receivers can change one after the other.',
  'webhooks.sendTest': 'Read the delivery log to see what your receiver answered.',
  'webhooks.listDeliveries': 'Shows what your receiver answered to each event.',
  'webhooks.sendAgain': 'The event keeps its id, so a receiver can tell that it has seen it.',
};

/** What the calls of each section are about. */
export const TAG_WORDS: Readonly<Record<string, string>> = {
  'Single checks': 'Check one address at a time, and wait for its verdict or come back for it.',
  Lists: 'Verify many addresses at once, follow their progress and manage the lists.',
  Files: 'Preview a file of addresses and make a list of it.',
  'Results and downloads': 'Read the results of a list, and download them as a file.',
  Bounces: 'Ask what a mail that came back means.',
  Outcomes: 'Report what happened to mail after you sent it.',
  Suppressions: 'Keep addresses and domains that are neither asked nor charged.',
  Feeds: 'Let your sender post bounces, complaints and deliveries.',
  Guessing: 'Find the address of a person by name and company.',
  Billing: 'Read balance, plan and history, and buy credits.',
  Webhooks: 'Let us tell your server when work is complete.',
  'API keys': 'Create, limit, roll and revoke the keys of your programs.',
  Account: 'Read and change your account, its records and its sessions.',
  Status: 'Whether the service works.',
  'Warm Up': 'Connect mailboxes that send for you.',
};

/** What each event tells your server. */
export const EVENT_WORDS: Readonly<Record<string, string>> = {
  'email_validation.completed': 'A single check has its verdict.',
  'list.completed': 'Every address of a list has its result.',
  'list.failed': 'The rows of a list could not be copied; it cost nothing.',
  'balance.low': 'The balance fell below one of your thresholds.',
  'webhook.test': 'You asked for a test event.',
};
