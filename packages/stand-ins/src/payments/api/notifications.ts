import { invalidRequest } from '../errors.ts';
import { applyMetadata, missing, type Params } from '../http/params.ts';
import { newId } from '../ids.ts';
import { apiVersion, type EventType, type WebhookEndpoint } from '../wire.ts';
import { getObject, type World } from '../world.ts';
import { type ApiCall, idOf, type Routes } from './call.ts';
import { createdFilter, listPage, matching } from './lists.ts';

export const notificationRoutes: Routes = {
  'POST /v1/webhook_endpoints': create,
  'GET /v1/webhook_endpoints': list,
  'GET /v1/webhook_endpoints/:id': (call) => getObject(call.world, 'webhook_endpoint', idOf(call)),
  'POST /v1/webhook_endpoints/:id': update,
  'DELETE /v1/webhook_endpoints/:id': remove,
  'GET /v1/events': listEvents,
  'GET /v1/events/:id': (call) => getObject(call.world, 'event', idOf(call)),
};

function create({ world, params }: ApiCall): WebhookEndpoint {
  const url = params.url('url');
  if (url === undefined) throw missing('url');
  params.choice('api_version', [apiVersion]);
  const endpoint = addEndpoint(world, {
    url,
    secret: `whsec_${newId('x').slice(2)}`,
    events: readEvents(params) ?? [],
    description: params.text('description') ?? null,
    metadata: applyMetadata(null, params.metadata()),
  });
  // The secret is told once, to whoever makes the endpoint.
  return { ...endpoint, secret: getObject(world, 'signing_secret', endpoint.id).secret };
}

export function addEndpoint(
  world: World,
  fields: {
    url: string;
    secret: string;
    events: string[];
    description: string | null;
    metadata: Record<string, string>;
  },
): WebhookEndpoint {
  const endpoint: WebhookEndpoint = {
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: apiVersion,
    application: null,
    created: world.clock.seconds(),
    description: fields.description,
    enabled_events: fields.events,
    livemode: false,
    metadata: fields.metadata,
    status: 'enabled',
    url: fields.url,
  };
  world.store.put('webhook_endpoint', endpoint);
  world.store.put('signing_secret', { id: endpoint.id, secret: fields.secret });
  return endpoint;
}

function readEvents(params: Params): string[] | undefined {
  const events = params.texts('enabled_events');
  if (events !== undefined && events.length === 0) {
    throw invalidRequest('An endpoint must listen to at least one kind of event.', {
      param: 'enabled_events',
    });
  }
  return events;
}

function list({ world, params }: ApiCall) {
  return listPage(params, {
    url: '/v1/webhook_endpoints',
    newestFirst: world.store.all('webhook_endpoint').reverse(),
  });
}

function update(call: ApiCall): WebhookEndpoint {
  const { world, params } = call;
  const before = getObject(world, 'webhook_endpoint', idOf(call));
  const isDisabled = params.boolean('disabled');
  const description = params.clearableText('description');
  const after: WebhookEndpoint = {
    ...before,
    description: description === undefined ? before.description : description,
    enabled_events: readEvents(params) ?? before.enabled_events,
    metadata: applyMetadata(before.metadata, params.metadata()),
    status: isDisabled === undefined ? before.status : isDisabled ? 'disabled' : 'enabled',
    url: params.url('url') ?? before.url,
  };
  world.store.put('webhook_endpoint', after);
  return after;
}

function remove(call: ApiCall): object {
  const { world } = call;
  const endpoint = getObject(world, 'webhook_endpoint', idOf(call));
  world.store.remove('webhook_endpoint', endpoint.id);
  world.store.remove('signing_secret', endpoint.id);
  return { id: endpoint.id, object: 'webhook_endpoint', deleted: true };
}

function listEvents({ world, params }: ApiCall) {
  const types = params.texts('types');
  const isDelivered = params.boolean('delivery_success');
  const newestFirst = world.store
    .all('event')
    .filter(matching('type', params.text('type') as EventType | undefined))
    .filter((event) => types === undefined || types.includes(event.type))
    .filter((event) => isDelivered === undefined || (event.pending_webhooks === 0) === isDelivered)
    .filter(createdFilter(params))
    .reverse();
  return listPage(params, { url: '/v1/events', newestFirst });
}
