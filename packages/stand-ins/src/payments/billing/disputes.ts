import { invalidRequest } from '../errors.ts';
import { newId } from '../ids.ts';
import { emit } from '../webhooks/events.ts';
import type { Charge, Dispute } from '../wire.ts';
import type { World } from '../world.ts';

const answerSeconds = 9 * 24 * 60 * 60;

/** The holder of the card says that they did not pay this. The bank takes the money until it is decided. */
export function openDispute(world: World, before: Charge): Dispute {
  const charge: Charge = { ...before, disputed: true };
  const brand = charge.payment_method_details?.card?.brand ?? 'visa';
  const dispute: Dispute = {
    id: newId('dp'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created: world.clock.seconds(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: world.clock.seconds() + answerSeconds,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand, case_type: 'chargeback', network: brand, network_reason_code: '83' },
      type: 'card',
    },
    reason: 'fraudulent',
    status: 'needs_response',
  };
  world.store.put('charge', charge);
  world.store.put('dispute', dispute);
  emit(world, 'charge.dispute.created', dispute);
  emit(world, 'charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** As in the real service's test mode, these words in the evidence decide at once. */
const decisions: Record<string, 'won' | 'lost'> = { winning_evidence: 'won', losing_evidence: 'lost' };

export function submitEvidence(world: World, before: Dispute, text: string): Dispute {
  refuseUnlessOpen(before);
  const submitted: Dispute = {
    ...before,
    evidence: { ...before.evidence, uncategorized_text: text },
    evidence_details: {
      ...before.evidence_details,
      has_evidence: true,
      submission_count: before.evidence_details.submission_count + 1,
      submission_method: 'manual',
    },
    status: 'under_review',
  };
  world.store.put('dispute', submitted);
  emit(world, 'charge.dispute.updated', submitted, before);
  const decision = decisions[text];
  return decision ? decideDispute(world, submitted, decision) : submitted;
}

/** Whoever closes a dispute accepts it. */
export function closeDispute(world: World, dispute: Dispute): Dispute {
  refuseUnlessOpen(dispute);
  return decideDispute(world, dispute, 'lost');
}

function decideDispute(world: World, before: Dispute, status: 'won' | 'lost'): Dispute {
  const decided: Dispute = { ...before, status };
  world.store.put('dispute', decided);
  emit(world, 'charge.dispute.closed', decided);
  if (status === 'won') emit(world, 'charge.dispute.funds_reinstated', decided);
  return decided;
}

function refuseUnlessOpen({ status }: Dispute): void {
  if (status === 'won' || status === 'lost') throw invalidRequest('This dispute is already closed.');
}

const noEvidence: Dispute['evidence'] = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};
