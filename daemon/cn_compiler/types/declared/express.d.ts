// What Express hands on of the types that it is given.
export = e;

declare global {
  namespace Express {
    interface Request {}
    interface Response {}
    interface Locals {}
    interface Application {}
  }
}
declare function e(): any;
declare namespace e {
  interface ParamsDictionary {
    [key: string]: string;
  }
  interface ParsedQs {
    [key: string]: undefined | string | string[] | ParsedQs | ParsedQs[];
  }
  interface NextFunction {
    (error?: any): void;
  }
  type Send<ResBody = any, T = Response<ResBody>> = (body?: ResBody) => T;
  interface Request<P = ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = ParsedQs, Locals extends Record<string, any> = Record<string, any>> extends Express.Request {
    params: P;
    body: ReqBody;
    query: ReqQuery;
    res?: Response<ResBody, Locals>;
  }
  interface Response<ResBody = any, Locals extends Record<string, any> = Record<string, any>, StatusCode extends number = number> extends Express.Response {
    locals: Locals & Express.Locals & Record<string, any>;
    statusCode: number;
    send: Send<ResBody, this>;
    json: Send<ResBody, this>;
    jsonp: Send<ResBody, this>;
    status(code: StatusCode): this;
    sendStatus(code: StatusCode): this;
    set(...args: any[]): this;
    header(...args: any[]): this;
    type(type: string): this;
    contentType(type: string): this;
    append(field: string, value?: string[] | string): this;
    vary(field: string): this;
    links(links: any): this;
    location(url: string): this;
    cookie(...args: any[]): this;
    clearCookie(name: string, options?: any): this;
    attachment(filename?: string): this;
    format(obj: any): this;
  }
  interface RequestHandler<P = ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = ParsedQs, Locals extends Record<string, any> = Record<string, any>> {
    (req: Request<P, ResBody, ReqBody, ReqQuery, Locals>, res: Response<ResBody, Locals>, next: NextFunction): any;
  }
  type ErrorRequestHandler<P = ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = ParsedQs, Locals extends Record<string, any> = Record<string, any>> = (err: any, req: Request<P, ResBody, ReqBody, ReqQuery, Locals>, res: Response<ResBody, Locals>, next: NextFunction) => any;
}
