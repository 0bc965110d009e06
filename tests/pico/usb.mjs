// The computer at the other end of the USB cable: enumerates the board and opens its serial channels.

import { DataDirection, DescriptorType, SetupRecipient, SetupType, createSetupPacket } from 'rp2040js';
import { getDescriptorPacket, setDeviceAddressPacket, setDeviceConfigurationPacket } from 'rp2040js';

const CDC_CONTROL_CLASS = 2;
const CDC_DATA_CLASS = 10;
const CDC_SET_CONTROL_LINE_STATE = 0x22;
const DTR_AND_RTS = 3;

/** The CDC channels in a configuration descriptor, in order: interface numbers and bulk endpoints. */
export function cdcChannels(descriptor) {
  const channels = [];
  let control = -1;
  let channel = null;
  for (let at = 0; at < descriptor.length && descriptor[at] >= 2; at += descriptor[at]) {
    const kind = descriptor[at + 1];
    if (kind === DescriptorType.Interface) {
      const interfaceClass = descriptor[at + 5];
      channel = null;
      if (interfaceClass === CDC_CONTROL_CLASS) control = descriptor[at + 2];
      if (interfaceClass === CDC_DATA_CLASS) channels.push((channel = { control, in: -1, out: -1 }));
    } else if (kind === DescriptorType.Endpoint && channel) {
      const address = descriptor[at + 2];
      channel[address & 0x80 ? 'in' : 'out'] = address & 0xf;
    }
  }
  return channels;
}

export class UsbHost {
  /** `open` lists the channels whose DTR is raised as soon as they appear; `now` gives nanoseconds. */
  constructor(controller, { open = [0, 1], now = () => 0 } = {}) {
    this.usb = controller;
    this.now = now;
    this.packets = [];
    this.wanted = open;
    this.channels = [];
    this.received = new Map();
    this.queued = new Map();
    this.pendingReads = new Map();
    this.descriptor = [];
    this.descriptorSize = null;
    this.setups = [];
    this.busy = false;
    controller.onUSBEnabled = () => controller.resetDevice();
    controller.onResetReceived = () => this.#enumerate();
    controller.onEndpointWrite = (endpoint, bytes) => this.#fromDevice(endpoint, bytes);
    controller.onEndpointRead = (endpoint, size) => {
      this.pendingReads.set(endpoint, size);
      this.#feed(endpoint);
    };
  }

  #enumerate() {
    this.descriptor = [];
    this.descriptorSize = null;
    this.setups = [setDeviceAddressPacket(1), getDescriptorPacket(DescriptorType.Configration, 9)];
    this.busy = false;
    this.#nextSetup();
  }

  #nextSetup() {
    if (this.busy || this.setups.length === 0) return;
    this.busy = true;
    this.usb.sendSetupPacket(this.setups.shift());
  }

  #done() {
    this.busy = false;
    this.#nextSetup();
  }

  #fromDevice(endpoint, bytes) {
    if (endpoint === 0) this.#controlAnswer(bytes);
    const index = this.channels.findIndex((channel) => channel.in === endpoint);
    if (index < 0) return;
    this.#append(this.received, index, bytes);
    this.#note(index, 'in', bytes.length);
  }

  /** Remembers when a packet crossed the cable: `in` came from the board, `out` went to it. */
  #note(channel, way, size) {
    if (size) this.packets.push({ channel, way, size, ms: this.now() / 1e6 });
  }

  /** The packets since the last call. */
  takePackets() {
    const packets = this.packets;
    this.packets = [];
    return packets;
  }

  #controlAnswer(bytes) {
    if (bytes.length === 0) {
      this.#done();
    } else if (this.descriptorSize === null) {
      this.descriptorSize = bytes[2] | (bytes[3] << 8);
      this.setups.push(getDescriptorPacket(DescriptorType.Configration, this.descriptorSize));
      this.#done();
    } else {
      this.descriptor.push(...bytes);
      if (this.descriptor.length < this.descriptorSize) return;
      this.channels = cdcChannels(this.descriptor);
      this.setups.push(setDeviceConfigurationPacket(1));
      this.wanted.forEach((index) => this.setOpen(index, true));
      this.#done();
    }
  }

  /** Opens or closes a channel, as a program on the computer does: it raises or drops DTR. */
  setOpen(index, open) {
    const channel = this.channels[index];
    if (!channel) return;
    this.setups.push(
      createSetupPacket({
        dataDirection: DataDirection.HostToDevice,
        type: SetupType.Class,
        recipient: SetupRecipient.Device,
        bRequest: CDC_SET_CONTROL_LINE_STATE,
        wValue: open ? DTR_AND_RTS : 0,
        wIndex: channel.control,
        wLength: 0,
      }),
    );
    this.#nextSetup();
  }

  /** Whether the board is set up and every channel wanted is open. */
  get ready() {
    return this.channels.length > 0 && this.setups.length === 0 && !this.busy;
  }

  write(index, bytes) {
    this.#append(this.queued, index, bytes);
    const channel = this.channels[index];
    if (channel) this.#feed(channel.out);
  }

  /** What the board has sent on a channel since the last call. */
  read(index) {
    const bytes = this.received.get(index) ?? Buffer.alloc(0);
    this.received.delete(index);
    return bytes;
  }

  #append(buffers, index, bytes) {
    buffers.set(index, Buffer.concat([buffers.get(index) ?? Buffer.alloc(0), bytes]));
  }

  #feed(endpoint) {
    const index = this.channels.findIndex((channel) => channel.out === endpoint);
    const queued = this.queued.get(index);
    const size = this.pendingReads.get(endpoint);
    if (!queued?.length || size === undefined) return;
    const part = Uint8Array.from(queued.subarray(0, size));
    this.queued.set(index, queued.subarray(part.length));
    this.pendingReads.delete(endpoint);
    this.#note(index, 'out', part.length);
    this.usb.endpointReadDone(endpoint, part);
  }
}
