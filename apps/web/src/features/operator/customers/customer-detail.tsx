import { activityWords, FEATURE_FLAGS, type FeatureFlags, type Transaction } from '@assay/contract';
import {
  GRANT_CREDITS_MAX,
  type OperatorCustomerDetail,
  type OperatorList,
  STANDINGS,
  type Standing,
} from '@assay/contract/operator';
import { Badge, Button, Group, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { AsyncSlot, LineSkeleton } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { DataGrid, type DataGridColumn } from '../../../shared/components/data-grid/data-grid.tsx';
import { DEFAULT_PAGING } from '../../../shared/components/data-grid/paging.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Section } from '../../../shared/components/section.tsx';
import { creditsText } from '../../../shared/format/count-words.ts';
import { formatCredits } from '../../../shared/format/counts.ts';
import { formatDate, formatDateTime } from '../../../shared/format/dates.ts';
import { formatCents } from '../../../shared/format/money.ts';
import { LocalGrid } from '../local-grid.tsx';
import { ActionsGrid } from '../log-section.tsx';
import { useListControl } from '../operation/list-control.tsx';
import { CustomerQuestions } from '../operation/questions-section.tsx';
import classes from '../operator.module.css';
import {
  onlyIf,
  standingWords,
  useCustomer,
  useListsOf,
  useMay,
  useRowsOf,
  useWebhooksOf,
} from '../operator-api.ts';
import { readWhole, sentenceOf } from '../operator-words.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { WholeNumberField } from '../whole-number-field.tsx';

export function CustomerDetail({ customerId }: { customerId: string }) {
  const customer = useCustomer(customerId);
  return (
    <AsyncSlot
      state={asyncStateOf(customer)}
      name="customer"
      onRetry={() => void customer.refetch()}
      skeleton={<CustomerSkeleton />}
    >
      {(data) => (
        <div className={classes.stack}>
          <Profile customer={data} />
          <Section title="Lists">
            <ListsGrid customerId={customerId} kind="emails" />
          </Section>
          <Section title="Lists of people">
            <ListsGrid customerId={customerId} kind="people" />
          </Section>
          <Section title="Credits history">
            <TransactionsGrid customerId={customerId} />
          </Section>
          <Section title="Payments">
            <PaymentsGrid customerId={customerId} />
          </Section>
          <Section title="API keys">
            <LocalGrid
              name="keys of the customer"
              columns={[
                { header: 'Name', cell: ({ name }) => name ?? 'First key' },
                { header: 'Mode', cell: ({ mode }) => mode },
                { header: 'Scopes', cell: ({ scopes }) => scopes.join(', ') || 'none', isText: true },
                {
                  header: 'Last used',
                  compact: 'labelled',
                  cell: ({ last_used_date }) => (last_used_date ? formatDateTime(last_used_date) : 'never'),
                },
              ]}
              rows={{ status: 'complete', data: { results: data.keys } }}
              rowKey={({ id }) => id}
              empty={<EmptyState icon="search" title="No API keys" />}
            />
          </Section>
          <Webhooks customerId={customerId} />
          <CustomerQuestions customerId={customerId} />
          <Section title="Activity">
            <ActivityGrid customerId={customerId} />
          </Section>
          <Section title="What operators did">
            <ActionsGrid customerId={customerId} />
          </Section>
        </div>
      )}
    </AsyncSlot>
  );
}

/** As high as the profile that follows. */
const CustomerSkeleton = () => (
  <div className={classes.stack}>
    <Section title="Customer">
      <dl className={classes.facts}>
        {['Id', 'Email', 'Phone', 'Signs in by', 'Since', 'Balance', 'Plan', 'Abuse score'].map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <LineSkeleton width="8rem" />
            </dd>
          </div>
        ))}
      </dl>
      <Group gap="xs" mt="lg">
        <Button>Grant credits</Button>
        <Button variant="default">Change standing</Button>
      </Group>
    </Section>
    <Section title="Lists">
      <DataGrid
        name="lists of the customer"
        columns={listColumns}
        rows={{ status: 'loading' }}
        rowKey={({ id }) => id}
        paging={DEFAULT_PAGING}
        onPagingChange={() => {}}
        empty={null}
      />
    </Section>
  </div>
);

const listColumns: [DataGridColumn<OperatorList>, ...DataGridColumn<OperatorList>[]] = [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Rows', cell: ({ total }) => formatCredits(total), align: 'end', compact: 'labelled' },
  {
    header: 'State',
    cell: ({ run_state, progress }) => (run_state ? `${run_state}, ${Math.floor(progress)}%` : 'complete'),
    compact: 'beside',
  },
  { header: 'Created', cell: ({ creation_date }) => formatDateTime(creation_date) },
];

function ListsGrid({ customerId, kind }: { customerId: string; kind: OperatorList['kind'] }) {
  const [paging, setPaging] = useState(DEFAULT_PAGING);
  const lists = useListsOf(customerId, kind, paging);
  const { menuOf, dialog } = useListControl();
  return (
    <>
      <DataGrid
        name={kind === 'emails' ? 'lists of the customer' : 'lists of people of the customer'}
        columns={listColumns}
        rows={asyncStateOf(lists)}
        rowKey={({ id }) => id}
        paging={paging}
        onPagingChange={setPaging}
        onRetry={() => void lists.refetch()}
        rowMenu={{
          rowName: ({ name }) => name,
          actions: menuOf,
        }}
        empty={<EmptyState icon="search" title={kind === 'emails' ? 'No lists' : 'No lists of people'} />}
      />
      {dialog}
    </>
  );
}

function TransactionsGrid({ customerId }: { customerId: string }) {
  const [paging, setPaging] = useState(DEFAULT_PAGING);
  const transactions = useRowsOf('listCustomerTransactions', customerId, paging);
  const may = useMay();
  const [chosen, setChosen] = useState<Transaction | null>(null);
  return (
    <>
      <DataGrid
        name="entries of the customer"
        columns={[
          { header: 'Detail', cell: ({ description }) => description },
          { header: 'Entry', cell: ({ number }) => number, align: 'end', compact: 'labelled' },
          { header: 'Type', cell: ({ category }) => sentenceOf(category) },
          { header: 'Amount', cell: ({ amount }) => formatCredits(amount), align: 'end', compact: 'beside' },
          {
            header: 'Balance',
            cell: ({ balance_after }) => formatCredits(balance_after),
            align: 'end',
            compact: 'labelled',
          },
          { header: 'Date', cell: ({ creation_date }) => formatDateTime(creation_date) },
        ]}
        rows={asyncStateOf(transactions)}
        rowKey={({ number }) => String(number)}
        paging={paging}
        onPagingChange={setPaging}
        onRetry={() => void transactions.refetch()}
        rowMenu={{
          rowName: ({ description }) => description,
          actions: (entry) =>
            onlyIf(may('takeGrantBack') && isGrantOfOperator(entry), {
              label: 'Take back',
              icon: 'back',
              onSelect: () => setChosen(entry),
            }),
        }}
        empty={<EmptyState icon="search" title="No entries" />}
      />
      {chosen ? (
        <TakeBackDialog customerId={customerId} entry={chosen} onClose={() => setChosen(null)} />
      ) : null}
    </>
  );
}

const isGrantOfOperator = ({ category, source, amount }: Transaction): boolean =>
  category === 'GRANT' && source === 'SUPPORT' && amount > 0;

interface TakeBackDialogProps {
  customerId: string;
  entry: Transaction;
  onClose: () => void;
}

function TakeBackDialog({ customerId, entry, onClose }: TakeBackDialogProps) {
  return (
    <ReasonDialog
      title="Take back a grant"
      confirmLabel="Take back"
      send={(api, reason) =>
        api.takeGrantBack({
          params: { customer_id: customerId, number: String(entry.number) },
          body: { reason },
        })
      }
      done="Credits taken back."
      onClose={onClose}
    >
      <p>
        {`What is left of ${creditsText(entry.amount)} is taken. Credits on hold follow when their work gives them back. The customer reads the reason in their credits history.`}
      </p>
    </ReasonDialog>
  );
}

function PaymentsGrid({ customerId }: { customerId: string }) {
  const [paging, setPaging] = useState(DEFAULT_PAGING);
  const payments = useRowsOf('listCustomerPayments', customerId, paging);
  return (
    <DataGrid
      name="payments of the customer"
      columns={[
        { header: 'Bought', cell: ({ kind, code }) => `${code} ${kind === 'pack' ? 'credit pack' : 'plan'}` },
        { header: 'State', cell: ({ status }) => sentenceOf(status) },
        {
          header: 'Total',
          cell: ({ total_in_cents }) => formatCents(total_in_cents),
          align: 'end',
          compact: 'beside',
        },
        {
          header: 'Refunded',
          cell: ({ refunded_in_cents: cents }) => (cents === 0 ? null : formatCents(cents)),
          align: 'end',
          compact: 'labelled',
        },
        { header: 'Invoice', cell: ({ id }) => id, compact: 'labelled', isText: true },
        { header: 'Date', cell: ({ date }) => formatDateTime(date) },
      ]}
      rows={asyncStateOf(payments)}
      rowKey={({ id }) => id}
      paging={paging}
      onPagingChange={setPaging}
      onRetry={() => void payments.refetch()}
      empty={<EmptyState icon="billing" title="No payments" />}
    />
  );
}

function Webhooks({ customerId }: { customerId: string }) {
  const webhooks = useWebhooksOf(customerId);
  return (
    <Section title="Webhooks">
      <AsyncSlot
        state={asyncStateOf(webhooks)}
        name="webhooks"
        onRetry={() => void webhooks.refetch()}
        skeleton={<LineSkeleton width="12rem" />}
      >
        {({ results }) =>
          results.length === 0 ? (
            <p className={classes.note}>Events go nowhere: there is no webhook.</p>
          ) : (
            results.map(({ id, host, event_types, creation_date }) => (
              <p key={id} className={classes.note}>
                {`${event_types?.join(', ') ?? 'All events'} to ${host} since ${formatDate(creation_date)}.`}
              </p>
            ))
          )
        }
      </AsyncSlot>
      <DeliveriesGrid customerId={customerId} />
    </Section>
  );
}

function DeliveriesGrid({ customerId }: { customerId: string }) {
  const [paging, setPaging] = useState(DEFAULT_PAGING);
  const deliveries = useRowsOf('listCustomerDeliveries', customerId, paging);
  return (
    <DataGrid
      name="deliveries of the customer"
      columns={[
        { header: 'Event', cell: ({ event_type }) => event_type },
        { header: 'State', cell: ({ status }) => sentenceOf(status), compact: 'beside' },
        {
          header: 'Answer',
          cell: ({ response_status, error }) => [response_status, error].filter(Boolean).join(': ') || null,
          isText: true,
        },
        {
          header: 'Tries',
          cell: ({ attempts }) => formatCredits(attempts),
          align: 'end',
          compact: 'labelled',
        },
        { header: 'Date', cell: ({ creation_date }) => formatDateTime(creation_date) },
      ]}
      rows={asyncStateOf(deliveries)}
      rowKey={({ id }) => id}
      paging={paging}
      onPagingChange={setPaging}
      onRetry={() => void deliveries.refetch()}
      empty={<EmptyState icon="search" title="No events yet" />}
    />
  );
}

function ActivityGrid({ customerId }: { customerId: string }) {
  const [paging, setPaging] = useState(DEFAULT_PAGING);
  const activity = useRowsOf('listCustomerActivity', customerId, paging);
  return (
    <DataGrid
      name="activity of the customer"
      columns={[
        { header: 'Activity', cell: ({ kind }) => activityWords(kind) },
        { header: 'About', cell: ({ about }) => about, isText: true },
        { header: 'By', cell: ({ by, api_key_name }) => api_key_name ?? sentenceOf(by), compact: 'labelled' },
        { header: 'Address', cell: ({ address }) => address, compact: 'labelled' },
        { header: 'Date', cell: ({ date }) => formatDateTime(date) },
      ]}
      rows={asyncStateOf(activity)}
      rowKey={({ number }) => String(number)}
      paging={paging}
      onPagingChange={setPaging}
      onRetry={() => void activity.refetch()}
      empty={<EmptyState icon="search" title="No activity" />}
    />
  );
}

type Dialog = 'credits' | 'standing' | 'two-step' | keyof FeatureFlags;

function Profile({ customer }: { customer: OperatorCustomerDetail }) {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const may = useMay();
  const close = () => setDialog(null);
  const { wallet } = customer;
  const facts = [
    ['Id', customer.id],
    ['Email', customer.email_address],
    ['Phone', customer.phone ?? 'none'],
    ['Signs in by', customer.identities.join(', ')],
    ['Since', formatDate(customer.creation_date)],
    ['Balance', `${formatCredits(wallet.balance)}, ${formatCredits(wallet.held)} held`],
    ['Plan', `${wallet.subscription.plan.code}, renews ${formatDate(wallet.subscription.next_renewal_date)}`],
    [
      'Abuse score',
      customer.abuse
        ? `${customer.abuse.score}: ${customer.abuse.reasons.join(', ') || 'no sign'}`
        : 'not scored',
    ],
  ] as const;
  return (
    <Section
      title={`${customer.first_name} ${customer.last_name}`.trim() || customer.email_address}
      action={
        <Group gap="xs">
          <Badge variant="light" color={customer.standing === 'open' ? 'ink' : 'danger'}>
            {standingWords[customer.standing]}
          </Badge>
          {customer.operator_role ? (
            <Badge variant="light">{`Operator: ${customer.operator_role}`}</Badge>
          ) : null}
        </Group>
      }
    >
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Group gap="xs" mt="lg">
        {may('grantCredits') ? <Button onClick={() => setDialog('credits')}>Grant credits</Button> : null}
        {may('setStanding') ? (
          <Button
            variant="default"
            onClick={() => setDialog('standing')}
            disabled={customer.operator_role !== null}
          >
            Change standing
          </Button>
        ) : null}
        {may('setFlag')
          ? FEATURE_FLAGS.map((flag) => (
              <Button key={flag} variant="default" onClick={() => setDialog(flag)}>
                {`Turn ${flag} ${customer.feature_flags[flag] ? 'off' : 'on'}`}
              </Button>
            ))
          : null}
        {may('removeSecondFactors') ? (
          <Button variant="default" onClick={() => setDialog('two-step')}>
            Turn two-step verification off
          </Button>
        ) : null}
        <Button variant="subtle" component={Link} to="/operator/search">
          All customers
        </Button>
      </Group>
      {dialog === 'credits' ? <GrantDialog customerId={customer.id} onClose={close} /> : null}
      {dialog === 'standing' ? <StandingDialog customer={customer} onClose={close} /> : null}
      {dialog === 'two-step' ? <TwoStepDialog customerId={customer.id} onClose={close} /> : null}
      {dialog === 'guessing_enabled' || dialog === 'can_change_password' ? (
        <FlagDialog customer={customer} flag={dialog} onClose={close} />
      ) : null}
    </Section>
  );
}

function GrantDialog({ customerId, onClose }: { customerId: string; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  // A repeated click grants once.
  const [key] = useState(() => crypto.randomUUID());
  const credits = readWhole(typed, GRANT_CREDITS_MAX);
  return (
    <ReasonDialog
      title="Grant credits"
      confirmLabel="Grant"
      isIncomplete={credits === null}
      send={(api, reason) =>
        api.grantCredits({
          params: { customer_id: customerId },
          body: { credits: credits ?? 0, key, reason },
        })
      }
      done="Credits granted."
      onClose={onClose}
    >
      <p>The customer reads the reason in their credits history.</p>
      <WholeNumberField label="Credits" value={typed} isFirst onChange={setTyped} />
    </ReasonDialog>
  );
}

function TwoStepDialog({ customerId, onClose }: { customerId: string; onClose: () => void }) {
  return (
    <ReasonDialog
      title="Turn two-step verification off"
      confirmLabel="Turn off"
      send={(api, reason) =>
        api.removeSecondFactors({ params: { customer_id: customerId }, body: { reason } })
      }
      done="Two-step verification is off."
      onClose={onClose}
    >
      <p>
        For a customer who lost authenticator app, passkeys and recovery codes. Make sure first that it is the
        customer who asks: the password alone signs in afterwards. The customer is told by mail.
      </p>
    </ReasonDialog>
  );
}

const standingEffects: Readonly<Record<Standing, string>> = {
  open: 'Everything is allowed. Lists that were paused by an operator go on.',
  throttled: 'A tenth of the requests per minute, and lists come after those of others.',
  held: 'Nothing new can be started, and lists are paused. Everything else stays open.',
  suspended: 'Signing in, reading and exports stay open; all other calls are refused, and lists are paused.',
};

interface StandingDialogProps {
  customer: { readonly id: string; readonly standing: Standing };
  onClose: () => void;
}

export function StandingDialog({ customer, onClose }: StandingDialogProps) {
  const choices = STANDINGS.filter((standing) => standing !== customer.standing);
  const [standing, setStanding] = useState<Standing>(customer.standing === 'open' ? 'suspended' : 'open');
  return (
    <ReasonDialog
      title="Change standing"
      confirmLabel="Change"
      send={(api, reason) =>
        api.setStanding({ params: { customer_id: customer.id }, body: { standing, reason } })
      }
      done="Standing changed."
      onClose={onClose}
    >
      <NativeSelect
        label="Standing"
        description={standingEffects[standing]}
        value={standing}
        data={choices.map((value) => ({ value, label: standingWords[value] }))}
        onChange={({ currentTarget }) => setStanding(currentTarget.value as Standing)}
      />
    </ReasonDialog>
  );
}

interface FlagDialogProps {
  customer: OperatorCustomerDetail;
  flag: keyof FeatureFlags;
  onClose: () => void;
}

function FlagDialog({ customer, flag, onClose }: FlagDialogProps) {
  // The flag as it was when the dialog opened: it must not turn around while the answer arrives.
  const [isOn] = useState(!customer.feature_flags[flag]);
  return (
    <ReasonDialog
      title={`Turn ${flag} ${isOn ? 'on' : 'off'}`}
      confirmLabel={isOn ? 'Turn on' : 'Turn off'}
      send={(api, reason) =>
        api.setFlag({ params: { customer_id: customer.id }, body: { flag, is_on: isOn, reason } })
      }
      done="Flag changed."
      onClose={onClose}
    />
  );
}
