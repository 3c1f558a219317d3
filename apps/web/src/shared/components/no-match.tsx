import { Button } from '@mantine/core';
import { EmptyState } from './empty-state.tsx';

interface NoMatchProps {
  title: string;
  description: string;
  /** What the button says, such as `Show all lists`. */
  showAll: string;
  onShowAll: () => void;
}

/** Where a search or a filter leaves no row. */
export const NoMatch = ({ title, description, showAll, onShowAll }: NoMatchProps) => (
  <EmptyState
    icon="search"
    title={title}
    description={description}
    action={
      <Button variant="default" onClick={onShowAll}>
        {showAll}
      </Button>
    }
  />
);
