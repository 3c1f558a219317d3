import type { QueryClient } from '@tanstack/react-query';
import type { LoaderFunctionArgs } from 'react-router';
import { useParams } from 'react-router';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { SectionLinks } from '../../shared/components/section-links.tsx';
import type { AppServices } from '../../shared/services/services.ts';
import { AbuseSection } from './abuse-section.tsx';
import { CallsSection } from './calls-section.tsx';
import { CouponsSection } from './coupons-section.tsx';
import { CustomerDetail } from './customer-detail.tsx';
import { CustomersSection } from './customers-section.tsx';
import { LogSection } from './log-section.tsx';
import { operatorQuery } from './operator-api.ts';
import { OverviewSection } from './overview-section.tsx';
import { SignUpsSection } from './sign-ups-section.tsx';
import { WorkSection } from './work-section.tsx';

const sections = {
  overview: { label: 'Overview', Section: OverviewSection },
  customers: { label: 'Customers', Section: CustomersSection },
  work: { label: 'Lists and jobs', Section: WorkSection },
  coupons: { label: 'Coupons', Section: CouponsSection },
  calls: { label: 'Call requests', Section: CallsSection },
  'sign-ups': { label: 'Sign-ups', Section: SignUpsSection },
  abuse: { label: 'Abuse', Section: AbuseSection },
  log: { label: 'Log', Section: LogSection },
} as const;
type SectionName = keyof typeof sections;
const links = Object.entries(sections).map(([name, { label }]) => ({
  path: name === 'overview' ? '/operator' : `/operator/${name}`,
  label,
}));

const isSection = (name: string | undefined): name is SectionName => name !== undefined && name in sections;

interface RouteParts {
  readonly services: AppServices;
  readonly queryClient: QueryClient;
  readonly signedIn: (args: LoaderFunctionArgs) => Promise<null>;
  readonly notFound: () => never;
}

/** The page and its guard: for everyone who is no operator it does not exist. */
export function operatorRoute({ services, queryClient, signedIn, notFound }: RouteParts) {
  return {
    Component: OperatorPage,
    loader: async (args: LoaderFunctionArgs) => {
      await signedIn(args);
      if (services.session.takenOverBy()) return null;
      const { section, id } = args.params;
      const isPath =
        section === undefined || (isSection(section) && (id === undefined || section === 'customers'));
      if (!isPath) notFound();
      await queryClient.ensureQueryData(operatorQuery(services)).catch((error: unknown) => {
        if ((error as { http_status?: number }).http_status === 404) notFound();
        throw error;
      });
      return null;
    },
  };
}

function OperatorPage() {
  const { section, id } = useParams();
  const name = isSection(section) ? section : 'overview';
  const { label, Section } = sections[name];
  return (
    <>
      <title>{`${label} · Operator · Assay`}</title>
      <PageHeader
        title="Operator console"
        description="Everything that you do here is logged with your reason."
      />
      <SectionLinks label="Operator console" links={links} />
      {name === 'customers' && id !== undefined ? <CustomerDetail key={id} customerId={id} /> : <Section />}
    </>
  );
}
