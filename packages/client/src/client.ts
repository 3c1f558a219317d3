import {
  type RouteAnswer,
  type RouteBody,
  type RouteContract,
  type RouteQuery,
  routes,
} from '@assay/contract';
import { type CallOptions, type ClientOptions, performCall, type UntypedInput } from './call.ts';

type RouteTree = Readonly<Record<string, Readonly<Record<string, RouteContract>>>>;

/** Every call of a contract, by feature and name. */
export type ClientOf<Tree extends RouteTree> = {
  readonly [Feature in keyof Tree]: {
    readonly [Name in keyof Tree[Feature]]: Call<Tree[Feature][Name]>;
  };
};

export type Client = ClientOf<typeof routes>;

/** The client of the Assay API, built from the contract. */
export const createClient = (options: ClientOptions): Client => createClientOf(routes, options);

/** See docs/decisions/client-from-contract.md. */
export function createClientOf<Tree extends RouteTree>(tree: Tree, options: ClientOptions): ClientOf<Tree> {
  const callsOf = (feature: RouteTree[string]) =>
    mapValues(
      feature,
      (route) =>
        (input: UntypedInput = {}) =>
          performCall(route, input, options),
    );
  return mapValues(tree, callsOf) as ClientOf<Tree>;
}

type Call<Route extends RouteContract> =
  NoInput extends CallInput<Route>
    ? (input?: CallInput<Route>) => Promise<RouteAnswer<Route>>
    : (input: CallInput<Route>) => Promise<RouteAnswer<Route>>;

type NoInput = Record<never, never>;

type CallInput<Route extends RouteContract> = Given<'params', Params<Route['path']>> &
  Given<'query', Query<Route>> &
  Given<'body', Body<Route>> &
  CallOptions;

/** Required if the route has it, and optional if all of its fields are. */
type Given<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : NoInput extends Value
    ? { readonly [Key in Name]?: Value }
    : { readonly [Key in Name]: Value };

/** A path names its own parameters. */
type Params<Path extends string> = [ParamName<Path>] extends [never]
  ? undefined
  : { readonly [Name in ParamName<Path>]: string };
type ParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/**
 * The server coerces a query from text, so the contract's input type says little. Callers pass the coerced value,
 * an array if the name repeats, and a Date for a date.
 */
type Query<Route extends RouteContract> = [RouteQuery<Route>] extends [undefined]
  ? undefined
  : { readonly [Name in keyof RouteQuery<Route>]: QueryValue<RouteQuery<Route>[Name]> };
type QueryValue<Value> = unknown extends Value
  ? Scalar | readonly Scalar[]
  : string extends Value
    ? Value | Date
    : Value;

type Scalar = string | number | boolean;

/** A file upload is a form, or its parts by name. */
type Body<Route extends RouteContract> = Route extends { readonly multipart: true }
  ? FormData | { readonly [Part in keyof RouteBody<Route>]: Blob | string | number | boolean | undefined }
  : RouteBody<Route>;

const mapValues = <Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
