import { Deadline } from '../../support/until.ts';
import { Customer, read } from '../customer.ts';
import { goodForm } from '../forms.ts';
import type { AttackedProduct } from '../product.ts';
import { sendHttp } from '../send.ts';

export interface BigList {
  readonly owner: Customer;
  readonly product: AttackedProduct;
  readonly id: string;
  readonly rows: number;
}

const patienceMs = 600_000;

/** Verified by the product itself. The domain does not exist, so that no mail host is asked. */
export async function createBigList(product: AttackedProduct, rows: number): Promise<BigList> {
  const owner = await Customer.signUp(product, rows);
  const people = Array.from(
    { length: rows },
    (_, row) => `Person ${row},person.${row}@absent.test,note ${row % 97}`,
  );
  const { contentType, body } = goodForm([], ['name,email,note', ...people, ''].join('\r\n'));
  const created = await sendHttp(product.target, {
    method: 'POST',
    path: '/api/validations/lists_bulk',
    headers: { ...owner.headersOf('bearer'), 'content-type': contentType },
    body,
  });
  const { id } = read(created) as { id: string };
  await new Deadline(patienceMs).until(
    'the big list is complete',
    async () => {
      const list = read(await owner.send('GET', `/validations/lists/${id}`)) as { status: string };
      return list.status === 'COMPLETE';
    },
    500,
  );
  return { owner, product, id, rows };
}
