import type { QueryClient } from '@tanstack/react-query';
import type { LoaderFunctionArgs } from 'react-router';
import { useParams } from 'react-router';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { SectionLinks } from '../../shared/components/section-links.tsx';
import type { AppServices } from '../../shared/services/services.ts';
import { CallsSection } from './calls-section.tsx';
import { AbuseSection } from './customers/abuse-section.tsx';
import { CouponsSection } from './customers/coupons-section.tsx';
import { CustomerDetail } from './customers/customer-detail.tsx';
import { SearchSection } from './customers/search-section.tsx';
import { SignUpsSection } from './customers/sign-ups-section.tsx';
import { LogSection } from './log-section.tsx';
import { ErrorsSection } from './operation/errors-section.tsx';
import { IncidentsSection } from './operation/incidents-section.tsx';
import { OverviewSection } from './operation/overview-section.tsx';
import { QuestionsSection } from './operation/questions-section.tsx';
import { WeatherSection } from './operation/weather-section.tsx';
import { WorkSection } from './operation/work-section.tsx';
import { operatorQuery, useOperatorRole } from './operator-api.ts';

const sections = {
  overview: { label: 'Overview', Section: OverviewSection },
  search: { label: 'Search', Section: SearchSection },
  work: { label: 'Lists and jobs', Section: WorkSection },
  errors: { label: 'Errors', Section: ErrorsSection },
  incidents: { label: 'Incidents', Section: IncidentsSection },
  coupons: { label: 'Coupons', Section: CouponsSection },
  calls: { label: 'Call requests', Section: CallsSection },
  'sign-ups': { label: 'Sign-ups', Section: SignUpsSection },
  weather: { label: 'Weather', Section: WeatherSection },
  questions: { label: 'Questions', Section: QuestionsSection },
  abuse: { label: 'Abuse', Section: AbuseSection },
  log: { label: 'Log', Section: LogSection },
} as const;
type SectionName = keyof typeof sections;
const links = Object.entries(sections).map(([name, { label }]) => ({
  path: name === 'overview' ? '/operator' : `/operator/${name}`,
  label,
}));

/** With the id of a customer behind it. */
const customerPath = 'customers';

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
        id === undefined ? section === undefined || isSection(section) : section === customerPath;
      if (!isPath) notFound();
      await queryClient.ensureQueryData(operatorQuery(services)).catch((error: unknown) => {
        if ((error as { http_status?: number }).http_status === 404) notFound();
        throw error;
      });
      return null;
    },
  };
}

const supportWords =
  'Your role is support: you see everything, restart lists and jobs, and write incidents. Ask an admin for the rest.';

function OperatorPage() {
  const { section, id } = useParams();
  const role = useOperatorRole();
  const isCustomer = section === customerPath && id !== undefined;
  const { label, Section } = sections[isSection(section) ? section : 'overview'];
  return (
    <>
      <title>{`${isCustomer ? 'Customer' : label} · Operator · Assay`}</title>
      <PageHeader
        title="Operator console"
        description={`Everything that you do here is logged with your reason.${role === 'support' ? ` ${supportWords}` : ''}`}
      />
      <SectionLinks label="Operator console" links={links} />
      {isCustomer ? <CustomerDetail key={id} customerId={id} /> : <Section />}
    </>
  );
}
