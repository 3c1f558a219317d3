import type { Client } from '@assay/client';
import type { McpServer } from '@modelcontextprotocol/server';

/** What every tool has. */
export interface ToolParts {
  readonly server: McpServer;
  readonly assay: Client;
  readonly publicUrl: string;
}
