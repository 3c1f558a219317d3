import { supportRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { registerRoute } from '../../platform/http/index.ts';
import { openCase, type SupportParts } from './support.service.ts';

export function registerSupportRoutes(app: FastifyInstance, parts: SupportParts): void {
  registerRoute(app, supportRoutes.openCase, ({ caller, body }) => openCase(parts, caller, body));
}
