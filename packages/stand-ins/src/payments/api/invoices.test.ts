import { expect, it } from 'vitest';
import { openShop, seedCustomer } from '../testing/shop.ts';

it('an invoice that is written after its payment: a draft with a line, finalized, and paid by the payment once', async () => {
  const shop = await openShop();
  const { stripe } = shop;
  const customer = await seedCustomer(shop, 'pm_card_visa');
  const [method] = (await stripe.customers.listPaymentMethods(customer)).data;
  const intent = await stripe.paymentIntents.create({
    amount: 700,
    currency: 'usd',
    customer,
    payment_method: method?.id ?? '',
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  });
  const { id } = await stripe.invoices.create({
    customer,
    currency: 'usd',
    auto_advance: false,
    collection_method: 'charge_automatically',
    pending_invoice_items_behavior: 'exclude',
  });
  const line = { amount: 700, currency: 'usd', description: '2,000 credits' };
  const attach = () => stripe.invoices.attachPayment(id, { payment_intent: intent.id });
  await expect(attach()).rejects.toThrow('This invoice is draft');
  await stripe.invoiceItems.create({ customer, invoice: id, ...line });
  expect(await stripe.invoices.finalizeInvoice(id, { auto_advance: false })).toMatchObject({
    status: 'open',
    total: 700,
    lines: { data: [line] },
  });
  await expect(attach()).rejects.toThrow('payments that have paid exactly');
  await stripe.paymentIntents.confirm(intent.id, { off_session: true });
  const invoice = await attach();
  expect(invoice).toMatchObject({ status: 'paid', amount_paid: 700, amount_remaining: 0 });
  await expect(attach()).rejects.toThrow('This invoice is paid');
  const payment = { type: 'payment_intent', payment_intent: intent.id } as const;
  expect((await stripe.invoicePayments.list({ payment })).data).toMatchObject([
    { invoice: id, status: 'paid' },
  ]);
  expect((await fetch(invoice.invoice_pdf ?? '')).headers.get('content-type')).toBe('application/pdf');
  expect((await stripe.charges.list({ customer })).data).toHaveLength(1);
  await expect(stripe.invoices.del(id)).rejects.toThrow('This invoice is paid, not draft.');
});
