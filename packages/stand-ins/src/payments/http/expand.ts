import { linesOf } from '../api/checkout-sessions.ts';
import { paymentIdOf } from '../billing/charges.ts';
import { subscriptionsOf } from '../billing/portal.ts';
import { invalidRequest } from '../errors.ts';
import type { Charge, CheckoutSession, Customer, Invoice, List } from '../wire.ts';
import type { World } from '../world.ts';

const depthMax = 4;

type Fields = Record<string, unknown>;

/** A copy of the object in which the named references are replaced by what they refer to. */
export function expand(world: World, object: object, paths: readonly string[]): object {
  if (paths.length === 0) return object;
  const copy = structuredClone(object) as Fields;
  for (const path of paths) {
    const segments = path.split('.');
    const depth = segments.filter((segment) => segment !== 'data').length;
    if (depth > depthMax) {
      throw invalidRequest(`You cannot expand more than ${depthMax} levels of a property.`, {
        param: 'expand',
      });
    }
    expandInto(world, copy, segments, path);
  }
  return copy;
}

function expandInto(world: World, holder: unknown, [head, ...rest]: string[], path: string): void {
  if (head === undefined || holder === null) return;
  if (Array.isArray(holder)) {
    for (const element of holder) expandInto(world, element, [head, ...rest], path);
    return;
  }
  if (typeof holder !== 'object') throw cannotExpand(path);
  const fields = holder as Fields;
  const current = fields[head];
  if (typeof current === 'string') fields[head] = follow(world, current, path);
  else if (current === undefined) fields[head] = include(world, fields, head, path);
  expandInto(world, fields[head], rest, path);
}

function follow(world: World, id: string, path: string): unknown {
  const found = world.store.findAnywhere(id);
  if (found === undefined) throw cannotExpand(path);
  return structuredClone(found);
}

/** Lists that an object has only when asked for. */
function include(world: World, fields: Fields, name: string, path: string): unknown {
  const kind = `${fields.object}.${name}`;
  if (kind === 'customer.subscriptions') {
    const { id } = fields as unknown as Customer;
    return listOf(`/v1/subscriptions?customer=${id}`, subscriptionsOf(world, id));
  }
  if (kind === 'invoice.payments') {
    const invoice = fields as unknown as Invoice;
    const payment = world.store.find('invoice_payment', paymentIdOf(invoice));
    return listOf(`/v1/invoice_payments?invoice=${invoice.id}`, payment === undefined ? [] : [payment]);
  }
  if (kind === 'charge.refunds') {
    const { id } = fields as unknown as Charge;
    const refunds = world.store.all('refund').filter((refund) => refund.charge === id);
    return listOf(`/v1/charges/${id}/refunds`, refunds.reverse());
  }
  if (kind === 'checkout.session.line_items') {
    const session = fields as unknown as CheckoutSession;
    return listOf(`/v1/checkout/sessions/${session.id}/line_items`, linesOf(world, session));
  }
  throw cannotExpand(path);
}

const listOf = <T>(url: string, data: T[]): List<T> => ({
  object: 'list',
  data: structuredClone(data),
  has_more: false,
  url,
});

const cannotExpand = (path: string) =>
  invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
