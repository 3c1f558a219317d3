import { Tooltip } from '@mantine/core';
import type { RefObject } from 'react';

interface ReasonTipProps {
  isOpen: boolean;
  id: string;
  reason: string | undefined;
  target: RefObject<HTMLElement | null>;
}

export const ReasonTip = ({ isOpen, id, reason, target }: ReasonTipProps) => (
  <Tooltip target={target} opened={isOpen} label={<span id={id}>{reason}</span>} multiline w={280} />
);
