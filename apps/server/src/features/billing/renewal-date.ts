/**
 * The first renewal after `now`, in UTC. Counts months from the anchor, not from the previous renewal, so a subscription
 * that started on 31 January renews on 28 February and then on 31 March.
 */
export function renewalAfter(anchor: Date, now: Date): Date {
  const monthsApart =
    (now.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + now.getUTCMonth() - anchor.getUTCMonth();
  const months = Math.max(1, monthsApart);
  const candidate = addMonths(anchor, months);
  return candidate > now ? candidate : addMonths(anchor, months + 1);
}

function addMonths(anchor: Date, months: number): Date {
  const moment = new Date(anchor);
  moment.setUTCDate(1);
  moment.setUTCMonth(moment.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 0)).getUTCDate();
  moment.setUTCDate(Math.min(anchor.getUTCDate(), lastDay));
  return moment;
}
