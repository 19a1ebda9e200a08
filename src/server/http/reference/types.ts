import type * as z from 'zod/mini';

export type Schema = z.core.JSONSchema.BaseSchema;

interface Content {
  content?: Record<string, { schema: Schema }>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: Record<string, string[]>[];
  parameters?: {
    name: string;
    in: 'path' | 'query' | 'header';
    required: boolean;
    schema: z.core.JSONSchema._JSONSchema;
  }[];
  requestBody?: Content & { required: boolean };
  responses: Record<
    string,
    Content & { description: string; headers?: Record<string, { description: string; schema: Schema }> }
  >;
}

export interface OpenApi {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Partial<Record<'get' | 'post', Operation>>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, object> };
}
