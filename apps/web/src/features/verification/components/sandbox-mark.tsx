import { Badge } from '@mantine/core';
import classes from './sandbox-mark.module.css';

interface SandboxMarkProps {
  name: string;
  isSandbox: boolean | undefined;
}

/** A name with a mark for work of the API's sandbox, which is free and not in the charts. */
export function SandboxMark({ name, isSandbox }: SandboxMarkProps) {
  if (!isSandbox) return <bdi>{name}</bdi>;
  return (
    <span className={classes.marked}>
      <bdi>{name}</bdi>
      <Badge
        variant="light"
        color="gray"
        size="sm"
        title="Verified with a test key: free, and not in the chart"
      >
        Sandbox
      </Badge>
    </span>
  );
}
