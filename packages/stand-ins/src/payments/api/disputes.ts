import { closeDispute, submitEvidence } from '../billing/disputes.ts';
import { applyMetadata } from '../http/params.ts';
import type { Dispute } from '../wire.ts';
import { getObject } from '../world.ts';
import { type ApiCall, idOf, type Routes } from './call.ts';
import { createdFilter, listPage, matching } from './lists.ts';

export const disputeRoutes: Routes = {
  'GET /v1/disputes': list,
  'GET /v1/disputes/:id': disputeOf,
  'POST /v1/disputes/:id': update,
  'POST /v1/disputes/:id/close': (call) => closeDispute(call.world, disputeOf(call)),
};

function disputeOf(call: ApiCall): Dispute {
  return getObject(call.world, 'dispute', idOf(call));
}

function list({ world, params }: ApiCall) {
  const newestFirst = world.store
    .all('dispute')
    .filter(matching('charge', params.text('charge')))
    .filter(matching('payment_intent', params.text('payment_intent')))
    .filter(createdFilter(params))
    .reverse();
  return listPage(params, { url: '/v1/disputes', newestFirst });
}

function update(call: ApiCall): Dispute {
  const { world, params } = call;
  const before = disputeOf(call);
  const dispute: Dispute = { ...before, metadata: applyMetadata(before.metadata, params.metadata()) };
  world.store.put('dispute', dispute);
  const text = params.object('evidence')?.text('uncategorized_text');
  return text === undefined ? dispute : submitEvidence(world, dispute, text);
}
