import type * as z from 'zod/mini';
import { activitySchema } from '../activity.ts';
import {
  automaticTopUpOrderSchema,
  automaticTopUpSchema,
  balanceAlertsSchema,
  invoiceDetailsSchema,
  invoiceSchema,
  owedPaymentSchema,
  paymentMethodSchema,
  pendingChangeSchema,
  planSchema,
  spendingSchema,
  transactionSchema,
  walletSchema,
} from '../billing.ts';
import { errorAnswerSchema, errorSchema } from '../errors.ts';
import {
  guessDetailSchema,
  guessEstimateSchema,
  guessListSchema,
  guessMetricsSchema,
  guessOrderSchema,
  guessPreviewSchema,
  guessSchema,
  guessTrySchema,
} from '../guessing.ts';
import { keyCallSchema } from '../key-calls.ts';
import { expiredWorkSchema, retentionSchema } from '../records.ts';
import {
  keyUsageSchema,
  newScopedKeySchema,
  scopedKeyChangesSchema,
  scopedKeySchema,
  scopedKeyWithTokenSchema,
} from '../scoped-keys.ts';
import { bounceFindingSchema } from '../sending/bounces.ts';
import { checkOutcomeSchema } from '../sending/check-outcomes.ts';
import { feedSchema } from '../sending/feeds.ts';
import { outcomeMailboxSchema } from '../sending/outcome-mailboxes.ts';
import { outcomeCountsSchema, outcomeFileSchema, outcomeSchema } from '../sending/outcomes.ts';
import {
  newSuppressionSchema,
  suppressionChangeSchema,
  suppressionCountsSchema,
  suppressionSchema,
} from '../sending/suppressions.ts';
import { statusSchema } from '../status.ts';
import {
  accountSecuritySchema,
  apiKeySchema,
  featureFlagsSchema,
  passwordChangeSchema,
  profileChangesSchema,
  signInSessionSchema,
  userSchema,
} from '../users.ts';
import {
  emailMetricsSchema,
  emailSummarySchema,
  exportLinkSchema,
  listEmailDetailSchema,
  listEmailSchema,
  listEstimateSchema,
  listFileMetricsSchema,
  listPreviewSchema,
  metricsEntrySchema,
  newExportLinkSchema,
  singleValidationDetailSchema,
  singleValidationSchema,
  validationListSchema,
} from '../validations/index.ts';
import {
  addressFlagSchema,
  addressFlagsSchema,
  evidenceStageSchema,
  verdictReasonSchema,
  verdictSchema,
} from '../verdicts.ts';
import { mailboxCredentialSchema } from '../warm-up.ts';
import { webhookDeliverySchema, webhookEventSchema, webhookSchema } from '../webhooks.ts';

const [singleCompleted, listCompleted, listFailed, balanceLow, webhookTest] = webhookEventSchema.def.options;

/** The schemas that the OpenAPI document names. Generated clients get a type for each. */
export const SCHEMA_NAMES = {
  AccountSecurity: accountSecuritySchema,
  Activity: activitySchema,
  AddressFlag: addressFlagSchema,
  AddressFlags: addressFlagsSchema,
  ApiKey: apiKeySchema,
  AutomaticTopUp: automaticTopUpSchema,
  AutomaticTopUpOrder: automaticTopUpOrderSchema,
  BalanceAlerts: balanceAlertsSchema,
  BalanceLowEvent: balanceLow,
  BounceFinding: bounceFindingSchema,
  CheckOutcome: checkOutcomeSchema,
  EmailMetrics: emailMetricsSchema,
  EmailSummary: emailSummarySchema,
  Error: errorSchema,
  ErrorAnswer: errorAnswerSchema,
  EvidenceStage: evidenceStageSchema,
  ExpiredWork: expiredWorkSchema,
  ExportLink: exportLinkSchema,
  FeatureFlags: featureFlagsSchema,
  Guess: guessSchema,
  GuessDetail: guessDetailSchema,
  GuessEstimate: guessEstimateSchema,
  GuessList: guessListSchema,
  GuessMetrics: guessMetricsSchema,
  GuessOrder: guessOrderSchema,
  GuessPreview: guessPreviewSchema,
  GuessTry: guessTrySchema,
  Invoice: invoiceSchema,
  InvoiceDetails: invoiceDetailsSchema,
  KeyCall: keyCallSchema,
  KeyUsage: keyUsageSchema,
  ListCompletedEvent: listCompleted,
  ListEmail: listEmailSchema,
  ListEmailDetail: listEmailDetailSchema,
  ListEstimate: listEstimateSchema,
  ListFailedEvent: listFailed,
  ListFileMetrics: listFileMetricsSchema,
  ListPreview: listPreviewSchema,
  Mailbox: mailboxCredentialSchema,
  MetricsEntry: metricsEntrySchema,
  NewExportLink: newExportLinkSchema,
  NewScopedKey: newScopedKeySchema,
  NewSuppression: newSuppressionSchema,
  Outcome: outcomeSchema,
  OutcomeCounts: outcomeCountsSchema,
  OutcomeFile: outcomeFileSchema,
  OutcomeMailbox: outcomeMailboxSchema,
  OwedPayment: owedPaymentSchema,
  PasswordChange: passwordChangeSchema,
  PaymentMethod: paymentMethodSchema,
  PendingPlanChange: pendingChangeSchema,
  Plan: planSchema,
  ProfileChanges: profileChangesSchema,
  Retention: retentionSchema,
  ScopedKey: scopedKeySchema,
  ScopedKeyChanges: scopedKeyChangesSchema,
  ScopedKeyWithToken: scopedKeyWithTokenSchema,
  SignInSession: signInSessionSchema,
  SingleCheck: singleValidationSchema,
  SingleCheckCompletedEvent: singleCompleted,
  SingleCheckDetail: singleValidationDetailSchema,
  Spending: spendingSchema,
  Status: statusSchema,
  Suppression: suppressionSchema,
  SuppressionChange: suppressionChangeSchema,
  SuppressionCounts: suppressionCountsSchema,
  Transaction: transactionSchema,
  User: userSchema,
  ValidationList: validationListSchema,
  Verdict: verdictSchema,
  VerdictReason: verdictReasonSchema,
  Wallet: walletSchema,
  Feed: feedSchema,
  Webhook: webhookSchema,
  WebhookDelivery: webhookDeliverySchema,
  WebhookTestEvent: webhookTest,
} as const satisfies Record<string, z.core.$ZodType>;
export type SchemaName = keyof typeof SCHEMA_NAMES;
