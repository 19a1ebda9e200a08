import { createHash } from 'node:crypto';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** By default a response is private and no page: pages set their own policy, and only files may be cached. */
export function installSecurityHeaders(app: FastifyInstance, isEncrypted: boolean): void {
  void app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        sandbox: [],
      },
    },
    xFrameOptions: { action: 'deny' },
    ...(!isEncrypted && { strictTransportSecurity: false }),
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store');
    done();
  });
}

/**
 * The policy of a page: our own scripts and the inline scripts that the build wrote, requests to our own origin.
 * Mantine adds style elements and attributes; they cannot run scripts.
 */
export function pagePolicy(html: string, { sendsForms = false } = {}): string {
  const inline = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, code = '']) => code);
  const hashes = inline.map((code) => ` 'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src 'self'${hashes.join('')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    // Elsewhere our scripts send forms, never the browser itself.
    `form-action '${sendsForms ? 'self' : 'none'}'`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join(';');
}
